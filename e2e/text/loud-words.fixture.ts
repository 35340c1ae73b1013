import { isObject, type JsonValue } from "@assay/protocol";

/** What the operator passes, and an agent that was shown it says everywhere. */
export const secret = "s3cret/T0ken+ä?x&Yz";

const bytes = (text: string): Buffer => Buffer.from(text);
const base64 = (text: string): string => bytes(text).toString("base64");
const hex = (text: string): string => bytes(text).toString("hex");
const units = (text: string): string =>
  text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The secret in the forms in which it has been seen to pass. */
const forms: readonly string[] = [
  secret,
  secret.toUpperCase(),
  secret.replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase())),
  encodeURIComponent(secret),
  encodeURIComponent(encodeURIComponent(secret)),
  hex(secret).replace(/../g, "%$&"),
  units(secret),
  JSON.stringify(JSON.stringify(secret)),
  hex(secret),
  hex(secret).toUpperCase(),
  base64(secret),
  bytes(`user:${secret}`).toString("base64url"),
  base64(base64(secret)),
  encodeURIComponent(base64(secret)),
  `https://agent.test/?token=${encodeURIComponent(secret)}`,
  // Wherever a text is cut, it is cut within the secret.
  secret.repeat(32),
];

/** What would move the cursor, turn text around, or command a build server. */
const commands =
  "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2066\u200f\u2028\u0085\u200b\n::error::owned\r\n##[error]x ##vso[task.complete]";

/** All of it, in one text: what the agent says wherever it can say something. */
export const loud = `${commands} ${forms.join(" ")}`;

/** Some of it, for an agent with much to say. */
export const loudEnough = `${commands} ${[secret, units(secret), base64(secret), hex(secret)].join(" ")}`;

/** The same for a place that takes no control characters: a header, a status line. */
export const loudHeader = `\u009b31m ${forms.join(" ").replace(/[^\x20-\x7e\x80-\xff]/g, "")}`;

/** What an output must not hold, whatever was said to us; undefined where it holds nothing of the kind. */
export function whatLeaked(output: string): string | undefined {
  const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/.exec(
    output,
  );
  if (raw) return `the character U+${raw[0].charCodeAt(0).toString(16)} in ${around(output, raw.index)}`;
  const command = /^\s*::\w|##\[|##vso\[/im.exec(output);
  if (command) return `a command in ${around(output, command.index)}`;
  const readings = [output, ...decodings(output)];
  for (const reading of readings) {
    const at = reading.toLowerCase().indexOf(secret.slice(0, 6));
    if (at >= 0) return `the secret in ${around(reading, at)}`;
  }
  const coded = [hex(secret), base64(secret), base64(`user:${secret}`), base64(base64(secret))];
  for (const form of coded) {
    // The letters in the middle depend on the secret alone.
    const at = output
      .replaceAll("-", "+")
      .replaceAll("_", "/")
      .search(new RegExp(literal(form.slice(9, 19)), "i"));
    if (at >= 0) return `the secret, coded, in ${around(output, at)}`;
  }
  return undefined;
}

const around = (text: string, at: number): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));

const literal = (text: string): string => text.replace(/[+/]/g, "\\$&");

/** As it reads without percent encoding, JSON escapes and entities, three times over. */
function decodings(text: string): string[] {
  const once = (given: string): string =>
    given
      .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/\\(["\\/])/g, "$1");
  const [first, second] = [once(text), once(once(text))];
  return [first, second, once(second)];
}

/** Every place of a value at which something can be said: its leaves, and a member more in every object. */
export function placesIn(value: JsonValue, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => placesIn(item, [...path, index]));
  if (isObject(value))
    return [
      [...path, loudEnough],
      ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name])),
    ];
  return [path];
}

/** A copy that is loud at this place. */
export function loudAt<T extends JsonValue>(value: T, path: readonly (string | number)[]): T {
  const copy = structuredClone(value);
  let holder = copy as Record<string | number, JsonValue>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, JsonValue>;
  holder[path.at(-1)!] = loudEnough;
  return copy;
}

/** Members that hold the rest together; loud ones would leave nothing to look at. */
const structural =
  /^(jsonrpc|id|taskId|contextId|messageId|artifactId|state|role|kind|url|protocolBinding|protocolVersion|preferredTransport|timestamp|@type|type|mediaType|nextPageToken|method|transport|scheme|location)$/;

/** A copy that is loud wherever it is mere text. */
export function loudInText(value: JsonValue, words = loud): JsonValue {
  if (Array.isArray(value))
    return value.map((item) => (typeof item === "string" ? `${item} ${words}` : loudInText(item, words)));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === "string" && !structural.test(name) ? `${member} ${words}` : loudInText(member, words),
    ]),
  );
}
