import { credentialIn } from "@assay/protocol";
import { createMasker, type Secret, secretsInAddress } from "@assay/wire";

type Environment = Readonly<Record<string, string | undefined>>;

/** Ends of the names of options and variables that hold a credential: `--api-key`, `GITHUB_TOKEN`, `Authorization`. */
const names =
  "token|secret|password|passwd|passphrase|(?:api|access|private|secret)[-_]?key|bearer|jwt|credentials?|authorization|cookie";
const named = new RegExp(`(?:${names})$`, "i");

const value = `(?<value>"[^"]+"|'[^']+'|[^\\s"'&;]+)`;

/** Credentials inside a word, which may be a whole script: `sh -c "curl -H 'Authorization: Bearer …'"`. */
const inWord: readonly RegExp[] = [
  // --token=abc, API_KEY=abc, "token": "abc", Authorization: Bearer abc
  new RegExp(`(?<name>[\\w.-]*(?:${names}))["']?\\s*[=:]\\s*(?:(?:basic|bearer|token)\\s+)?${value}`, "gi"),
  new RegExp(`(?<name>-[\\w.-]*(?:${names}))\\s+(?!-)${value}`, "gi"),
  /\bbearer\s+(?<value>[\w.~+/=-]{8,})/gi,
  // curl -u user:password
  /-(?:u|-user)[\s=]+["']?[^\s:"']+:(?<value>[^\s"']+)/g,
];

/** Values that need no mask: switches, small numbers, and variables that a shell replaces. */
const harmless = /^(?:|true|false|yes|no|none|null|\d{1,7}|\$.*)$/is;

/** A shorter value of a variable is more likely an everyday word than a credential. */
const leastOfVariable = 8;

/**
 * Returns the command line of a client with its credentials masked, and these credentials. They are values of options
 * and variables that are named like credentials, and texts that look like one.
 */
export function shownCommand(
  command: readonly string[],
  env: Environment = {},
): { readonly text: string; readonly secrets: readonly Secret[] } {
  const secrets = [
    ...command.flatMap((word, index) => secretsIn(word, command[index - 1])),
    ...secretsInVariables(env),
  ];
  return { text: createMasker(secrets).text(command.join(" ")), secrets };
}

function secretsIn(word: string, before = ""): readonly Secret[] {
  const looks = credentialIn(word);
  return [
    ...(isOption(before) && !word.startsWith("-") ? [{ name: nameOf(before), value: word }] : []),
    ...(/^(?:-u|--user)$/.test(before) && word.includes(":")
      ? [{ name: "password", value: word.replace(/^.*?:/s, "") }]
      : []),
    ...inWord.flatMap((pattern) =>
      [...word.matchAll(pattern)].map(({ groups }) => ({
        name: nameOf(groups?.["name"] ?? "password"),
        value: (groups?.["value"] ?? "").replace(/^(["'])(.*)\1$/s, "$2"),
      })),
    ),
    ...[...word.matchAll(/[a-z][\w+.-]*:\/\/[^\s"'<>]+/gi)].flatMap(([address]) => secretsInAddress(address)),
    ...(looks ? [{ name: "credential", value: looks.what === "a private key" ? word : looks.value }] : []),
  ].filter((secret) => !harmless.test(secret.value));
}

const isOption = (word: string): boolean => /^-{1,2}[\w.-]+$/.test(word) && !/^-+no-/.test(word) && named.test(word);

const secretsInVariables = (env: Environment): readonly Secret[] =>
  Object.entries(env).flatMap(([name, text = ""]) =>
    named.test(name) && text.length >= leastOfVariable ? [{ name: nameOf(name), value: text }] : [],
  );

const nameOf = (option: string): string => option.replace(/^-+/, "").toLowerCase();
