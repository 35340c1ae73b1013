import { isObject } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import { type Kind, onOff, type TestValues, taken, testOptions } from "@assay/suite/options";
import { secretsInAddress } from "@assay/wire";
import { readDuration } from "./duration.ts";
import type { LoginReference } from "./listed-agent.ts";

/** Settings of one agent, of all agents, or of those with a label. */
export interface AgentSettings extends Pick<TestValues, "depth"> {
  readonly allowMessage?: boolean;
  readonly unchangedEvery?: number;
  readonly timeout?: number;
  readonly deadline?: number;
}

/** One row of a list after validation. */
export interface AgentRow extends AgentSettings {
  readonly url: string;
  readonly name?: string;
  readonly card?: string;
  readonly labels?: readonly string[];
  readonly login?: LoginReference;
  readonly optOut?: string;
}

/** An error in a row; its message never contains a secret. */
export class RowMistake extends AssayError {
  constructor(message: string) {
    super({ code: "row-mistake", message });
  }
}

type Reader = (value: unknown, name: string) => unknown;

const mistaken = (name: string, expected: string): never => {
  throw new RowMistake(`${name}: expected ${expected}`);
};

const text: Reader = (value, name) =>
  typeof value === "string" && value.trim() !== "" && value.length <= 2_000
    ? value.trim()
    : mistaken(name, "some text");

/** Validates a value like the test option of the same name. */
const as =
  <T>(kind: Kind<T>) =>
  (value: unknown, name: string): T =>
    taken(kind, value) ?? mistaken(name, kind.wants);

const seconds: Reader = (value, name) => {
  const given = as(testOptions.timeout.is)(value, name);
  return given <= 86_400 ? given * 1_000 : mistaken(name, "a number of seconds up to 86400");
};

const span: Reader = (value, name) =>
  (typeof value === "string" ? readDuration(value) : undefined) ?? mistaken(name, "a span of time, such as 12h or 7d");

const address: Reader = (value, name) => {
  const said = text(value, name) as string;
  const url = URL.canParse(said) ? new URL(said) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    return mistaken(name, "an address that begins with https:// or http://");
  if (url.username || url.password || secretsInAddress(said).length)
    throw new RowMistake(
      `${name}: the address holds a secret, which would stand in every result; use login, with env:NAME or @file`,
    );
  return said;
};

const labels: Reader = (value, name) => {
  const list = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list) || list.length > 50) return mistaken(name, "a list of words");
  return list.map((each) =>
    typeof each === "string" && /^[\w.:/-]{1,100}$/.test(each)
      ? each
      : mistaken(name, "words of letters, digits and . : / - _"),
  );
};

/** Reads `true`, or a text with the reason. */
const optOut: Reader = (value, name) =>
  value === true ? "it is listed so" : value === false ? undefined : text(value, name);

const reference = /^(env:[A-Za-z_]\w*|@.+)$/s;
const secret: Reader = (value, name) =>
  typeof value === "string" && reference.test(value)
    ? value
    : mistaken(name, "env:NAME or @file: a secret does not stand in a list");
/** Reads a reference after a public part: `user:env:NAME`, `header=@file`. */
const secretBehind =
  (sign: string, before: string): Reader =>
  (value, name) => {
    const at = typeof value === "string" ? value.indexOf(sign) : -1;
    const isFine = typeof value === "string" && at > 0 && reference.test(value.slice(at + 1));
    return isFine
      ? value
      : mistaken(name, `${before}${sign}env:NAME or ${before}${sign}@file: a secret does not stand in a list`);
  };
const oauthClient: Reader = (value, name) =>
  typeof value === "string" && !value.includes(":") && value !== "" ? value : secretBehind(":", "client")(value, name);

const settings = {
  depth: as(testOptions.depth.is),
  allowMessage: as(onOff),
  unchangedEvery: span,
  timeout: seconds,
  deadline: seconds,
} satisfies Record<keyof AgentSettings, Reader>;

const login = {
  bearer: secret,
  basic: secretBehind(":", "user"),
  apiKey: secretBehind("=", "header"),
  oauthClient,
  tokenUrl: address,
  oauthScope: text,
} satisfies Record<keyof LoginReference, Reader>;

const row = {
  ...settings,
  url: address,
  name: text,
  card: address,
  labels,
  login: readLogin,
  optOut,
} satisfies Record<keyof AgentRow, Reader>;

/** Reads a row: an address, or an object. */
export function readRow(value: unknown): AgentRow {
  const read = readMembers(typeof value === "string" ? { url: value } : value, row, "") as unknown as Partial<AgentRow>;
  if (read.url === undefined) throw new RowMistake("url: it is missing");
  return { ...read, url: read.url };
}

/** Reads a login that consists of references; rejects unknown members. */
export function readLogin(value: unknown, name: string): LoginReference {
  const read = readMembers(value, login, name) as LoginReference;
  if (read.oauthClient !== undefined && read.tokenUrl === undefined)
    throw new RowMistake(`${name}: oauthClient needs a tokenUrl`);
  return read;
}

export const readSettings = (value: unknown, name: string): AgentSettings =>
  readMembers(value, settings, name) as AgentSettings;

function readMembers(value: unknown, readers: Readonly<Record<string, Reader>>, name: string): Record<string, unknown> {
  if (!isObject(value)) return mistaken(name || "the row", "names with values");
  const read: Record<string, unknown> = {};
  for (const [member, given] of Object.entries(value)) {
    const full = name ? `${name}.${member}` : member;
    const reader = Object.hasOwn(readers, member) ? readers[member] : undefined;
    if (!reader) throw new RowMistake(`${full} is unknown; there are ${Object.keys(readers).join(", ")}`);
    if (given === null || given === undefined) continue;
    const result = reader(given, full);
    if (result !== undefined) read[member] = result;
  }
  return read;
}
