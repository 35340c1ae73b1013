import { type JsonValue, randomFrom } from "@assay/protocol";

/** The same seed gives the same requests on every machine. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** from 0 up to, but not including, `sides` */
  roll(sides: number): number {
    return Math.floor(this.#random() * sides);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.roll(from.length)]!;
  }

  chance(oneIn: number): boolean {
    return this.roll(oneIn) === 0;
  }
}

const oddTexts = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "\udfff\ud800",
  "\ufeff",
  "\u202e\u2066",
  "👩‍👩‍👧‍👦",
  "a\u0301".repeat(50),
  "x".repeat(10_000),
  "__proto__",
  "constructor",
  "toString",
  "../../../../etc/passwd",
  "%s%n%d",
  "<script>alert(1)</script>",
  "'; DROP TABLE tasks; --",
  "\r\nX-Injected: 1",
  "null",
  "NaN",
  "ROLE_USER",
  "TASK_STATE_WORKING",
  "2026-01-01T00:00:00Z",
];

const oddNumbers = [0, -0, -1, 1, 1.5, 2 ** 31, -(2 ** 31), 2 ** 53 + 2, 1e308, -1e308, 5e-324, 1e21];

const odd = (dice: Dice): JsonValue => {
  switch (dice.roll(8)) {
    case 0:
      return null;
    case 1:
      return dice.chance(2);
    case 2:
      return dice.pick(oddNumbers);
    case 3:
      return dice.pick(oddTexts);
    case 4:
      return [];
    case 5:
      return {};
    case 6:
      return [odd(dice), odd(dice)];
    default:
      return { [dice.pick(oddTexts)]: odd(dice), id: odd(dice) };
  }
};

/** A copy in which one place, or several, is not what it was: another type, gone, renamed, doubled or buried. */
function bendValue(value: JsonValue, dice: Dice): JsonValue {
  const copy = structuredClone(value);
  for (let bends = 1 + dice.roll(3); bends > 0; bends--) {
    const holders: (JsonValue[] | Record<string, JsonValue>)[] = [];
    const walk = (node: JsonValue) => {
      if (typeof node !== "object" || node === null) return;
      holders.push(node);
      for (const child of Object.values(node)) walk(child);
    };
    walk(copy);
    if (!holders.length) return odd(dice);
    const holder = dice.pick(holders);
    const keys = Object.keys(holder);
    const key = keys.length ? dice.pick(keys) : "x";
    const members = holder as Record<string, JsonValue>;
    switch (dice.roll(6)) {
      case 0:
        delete members[key];
        break;
      case 1:
        members[dice.pick(oddTexts)] = odd(dice);
        break;
      case 2: {
        const old = members[key] ?? null;
        delete members[key];
        members[dice.chance(2) ? key.toUpperCase() : key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)] = old;
        break;
      }
      case 3:
        members[key] = [members[key] ?? null, odd(dice)];
        break;
      default:
        members[key] = odd(dice);
    }
  }
  return copy;
}

const oddJson = [
  "1e400",
  "-1e400",
  "123456789012345678901234567890",
  "01",
  ".5",
  "+1",
  "0x10",
  "Infinity",
  "undefined",
  '"\\u12"',
  '"\\x41"',
  '"\ud800"',
  "//",
  "/**/",
  ",",
  "}",
  "]",
];

/** Bytes that are almost the ones given. */
export function bendBytes(bytes: Buffer, dice: Dice): Buffer {
  const at = dice.roll(bytes.length + 1);
  const to = Math.min(bytes.length, at + 1 + dice.roll(20));
  const [before, slice, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  switch (dice.roll(7)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      for (let flips = 1 + dice.roll(4); flips > 0 && flipped.length; flips--) {
        const place = dice.roll(flipped.length);
        flipped[place] = flipped[place]! ^ (1 << dice.roll(8));
      }
      return flipped;
    }
    case 1:
      return before;
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return Buffer.concat([before, slice, slice, after]);
    case 4:
      return Buffer.concat([
        before,
        Buffer.from(Array.from({ length: 1 + dice.roll(8) }, () => dice.roll(256))),
        after,
      ]);
    case 5:
      return Buffer.concat([before, Buffer.from(dice.pick(oddJson)), after]);
    default:
      return Buffer.concat([bytes, dice.pick([bytes, Buffer.from("\n"), Buffer.from("{}"), Buffer.from([0])])]);
  }
}

/** A body that is wrong in one of many ways; now and then it happens to be right. */
export function bendBody(value: JsonValue, dice: Dice): Buffer {
  const bent = dice.chance(3) ? value : bendValue(value, dice);
  let text = JSON.stringify(bent) ?? "";
  switch (dice.roll(10)) {
    case 0:
      // The same key twice: which one counts is not said anywhere, but neither may do harm.
      text = text.replace(/"(\w+)":/, (all, key: string) => `"${key}":${JSON.stringify(odd(dice))},${all}`);
      break;
    case 1: {
      const depth = 1 + dice.roll(dice.chance(20) ? 20_000 : 300);
      const [open, close] = dice.chance(2) ? ["[", "]"] : ['{"a":', "}"];
      text = text.replace(/:(?="|\d|\{)/, () => `:${open.repeat(depth)}1${close.repeat(depth)},"x":`);
      break;
    }
    case 2:
      text = text.replace(/"[^"]*"(?!:)/, () => dice.pick(oddJson));
      break;
    case 3:
      text = text.replaceAll(",", dice.pick([", \t\r\n", ",,", ";"]));
      break;
    default:
  }
  const bytes = Buffer.from(text);
  return dice.chance(3) ? bendBytes(bytes, dice) : bytes;
}

const oddHeaderValues = [
  "",
  " ",
  "é",
  "\t",
  "*",
  "\u00ff".repeat(40),
  "x".repeat(2_000),
  ",,,",
  '"',
  "null",
  "-1",
  "1.0",
];
const headerNames = [
  "A2A-Version",
  "A2A-Extensions",
  "Content-Type",
  "Accept",
  "Authorization",
  "Origin",
  "If-None-Match",
  "If-Modified-Since",
  "Last-Event-ID",
  "Content-Encoding",
  "Accept-Encoding",
  "Range",
  "X-Forwarded-Host",
  "X-HTTP-Method-Override",
  "Cookie",
  "__proto__",
  "constructor",
];
const headerValues = [
  ...oddHeaderValues,
  "0.3",
  "1.0.7",
  "99.0",
  "urn:assay:extension:timing:v1, urn:x",
  "urn:assay:extension:acknowledgement:v1",
  "application/json",
  "application/a2a+json; charset=latin1",
  "text/event-stream",
  "Bearer agentbin-test-token",
  "http://localhost:1",
  "http://evil.example",
  "gzip",
  "bytes=0-0",
  "Mon, 01 Jan 1990 00:00:00 GMT",
];

/** Headers of a good request with, now and then, one or two that are odd. */
export function bendHeaders(headers: Record<string, string>, dice: Dice): Record<string, string> {
  const bent: Record<string, string> = { ...headers };
  if (!dice.chance(3)) return bent;
  for (let count = 1 + dice.roll(2); count > 0; count--) {
    const name = dice.pick(headerNames);
    if (dice.chance(4)) delete bent[name];
    else Object.defineProperty(bent, name, { value: dice.pick(headerValues), enumerable: true, configurable: true });
  }
  return bent;
}

const pathPieces = [
  "tasks",
  "message:send",
  "message:stream",
  "extendedAgentCard",
  "pushNotificationConfigs",
  ".well-known",
  "agent-card.json",
  "north",
  "south",
  "v1",
  "spec",
  "full",
  "x:cancel",
  "x:subscribe",
  ":cancel",
  ":",
  "..",
  ".",
  "",
  "%",
  "%zz",
  "%2f",
  "%2e%2e",
  "%00",
  "%ff",
  "%f0%9f%91%8b",
  "%ed%a0%80",
  "__proto__",
  "constructor",
  "a".repeat(500),
  "{id}",
  "<x>",
  "\\",
  "é",
  "metrics",
  "health",
];

/** A path that may or may not lead anywhere. */
export function bendPath(path: string, dice: Dice): string {
  if (!dice.chance(3)) return path;
  const segments = path.split("/");
  for (let bends = 1 + dice.roll(2); bends > 0; bends--) {
    const at = 1 + dice.roll(segments.length);
    if (dice.chance(2)) segments.splice(at, dice.roll(2), dice.pick(pathPieces));
    else segments[Math.min(at, segments.length - 1)] = dice.pick(pathPieces);
  }
  const bent = segments.join("/");
  return bent.startsWith("/") ? bent : `/${bent}`;
}

const queryNames = [
  "historyLength",
  "history_length",
  "pageSize",
  "pageToken",
  "status",
  "contextId",
  "statusTimestampAfter",
  "includeArtifacts",
  "tenant",
  "A2A-Version",
  "id",
  "%zz",
  "__proto__",
  "",
];
const queryValues = [
  "",
  "0",
  "-1",
  "1e9",
  "99999999999",
  "1.5",
  "true",
  "maybe",
  "%zz",
  "%ff",
  "%00",
  "null",
  "TASK_STATE_WORKING",
  "2026-01-01T00:00:00Z",
  "north",
  "a.b",
  "+++",
  "&&=",
  "[]",
  "x".repeat(1_000),
];

export function bendQuery(dice: Dice): string {
  if (!dice.chance(2)) return "";
  const pairs = Array.from({ length: 1 + dice.roll(3) }, () => `${dice.pick(queryNames)}=${dice.pick(queryValues)}`);
  return `?${pairs.join("&")}`;
}

export const verbs = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "LOCK"];
