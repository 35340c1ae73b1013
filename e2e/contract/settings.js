/** The command line and the configuration of the tool of the contract's proof. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "./connection.js";

const flags = ["async", "stream", "wait", "verbose", "debug", "insecure", "validate", "extended", "help", "version"];
const values = [
  ...["agent-card", "output", "context-id", "task-id", "bearer", "api-key", "svc-param", "transport", "metadata"],
  ...["a2a-version", "poll-interval", "timeout", "history", "config", "text", "file", "data", "media-type"],
  ...["status", "page-token", "url"],
];
const short = { a: "agent-card", o: "output", h: "help", v: "version" };
const credentials = ["bearer", "api-key"];

/** Reads the words of the command line: the arguments, the options and the parts of a message. */
export function readWords(words, broken) {
  const args = [];
  const options = { transport: [], "svc-param": [] };
  const parts = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    const name = word.startsWith("--") ? word.slice(2) : /^-[aohv]$/.test(word) ? short[word[1]] : undefined;
    if (name === undefined) args.push(word);
    else if (flags.includes(name) && !isMissing(name, broken)) options[name] = true;
    else if (values.includes(name) && !isMissing(name, broken)) {
      index += 1;
      take(name, words[index], { options, parts, broken });
    } else if (name === "continue" && broken("INTERACT_005")) options.continue = true;
    else throw new ToolError("A2ACLI_ERR_USAGE", `Unknown option ${word}`, "Run the command with --help.");
  }
  if (broken("SEND_006")) parts.sort((one, other) => one.kind.localeCompare(other.kind));
  return { args, options, parts };
}

/** Options that a broken tool does not have. */
const missing = { "a2a-version": "DEFAULT_001", validate: "CARD_GET_002", extended: "CARD_GET_003" };
const isMissing = (name, broken) => missing[name] !== undefined && broken(missing[name]);

function take(name, value, { options, parts, broken }) {
  if (["text", "file", "data"].includes(name)) parts.push({ kind: name, value });
  else if (name === "media-type" && !parts.length && !broken("SEND_005"))
    throw new ToolError("A2ACLI_ERR_USAGE", "--media-type needs a part before it");
  else if (name === "media-type" && parts.length) parts.at(-1).mediaType = value;
  else if (Array.isArray(options[name])) options[name].push(value);
  else options[name] = value;
}

/** Resolves a setting: flag, variable, local file, global file. Returns its value and its source. */
export function settingsOf(options, env, broken) {
  const files = [options.config ?? join(process.cwd(), ".env"), join(env.HOME ?? "", ".config", "a2a-cli", ".env")];
  const stored = files.map((file) => [file, existsSync(file) ? readFileSync(file, "utf8") : ""]);
  return (name) => {
    const variable = `A2ACLI_${name.toUpperCase().replaceAll("-", "_")}`;
    const order = [
      ...(options[name] === undefined ? [] : [[options[name], "flag"]]),
      ...(env[variable] === undefined ? [] : [[env[variable], `environment ${variable}`]]),
      ...stored.flatMap(([file, text]) => {
        const found = new RegExp(`^${variable}=(.*)$`, "m").exec(text)?.[1];
        return found === undefined ? [] : [[found, file]];
      }),
    ];
    const isReversed = (broken("AUTH_002") && credentials.includes(name)) || broken("CONFIG_002");
    return (isReversed ? order.toReversed() : order)[0] ?? [undefined, "default"];
  };
}

/** Reads 500ms, 2s and 1m. */
export const milliseconds = (text) => {
  const [, amount, unit = "s"] = /^(\d+)(ms|s|m)?$/.exec(text) ?? [];
  return Number(amount) * { ms: 1, s: 1_000, m: 60_000 }[unit];
};
