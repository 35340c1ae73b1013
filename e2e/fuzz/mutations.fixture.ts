import { type JsonValue, randomFrom } from "@assay/protocol";

/** A generator of random numbers. The same seed gives the same numbers on every machine. */
export class SeededRandom {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
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

const odd = (random: SeededRandom): JsonValue => {
  switch (random.below(8)) {
    case 0:
      return null;
    case 1:
      return random.chance(2);
    case 2:
      return random.pick(oddNumbers);
    case 3:
      return random.pick(oddTexts);
    case 4:
      return [];
    case 5:
      return {};
    case 6:
      return [odd(random), odd(random)];
    default:
      return { [random.pick(oddTexts)]: odd(random), id: odd(random) };
  }
};

/** Returns a copy with one to three mutations: another type, or a removed, renamed, added or wrapped member. */
function mutateValue(value: JsonValue, random: SeededRandom): JsonValue {
  const copy = structuredClone(value);
  for (let mutations = 1 + random.below(3); mutations > 0; mutations--) {
    const holders: (JsonValue[] | Record<string, JsonValue>)[] = [];
    const walk = (node: JsonValue) => {
      if (typeof node !== "object" || node === null) return;
      holders.push(node);
      for (const child of Object.values(node)) walk(child);
    };
    walk(copy);
    if (!holders.length) return odd(random);
    const holder = random.pick(holders);
    const keys = Object.keys(holder);
    const key = keys.length ? random.pick(keys) : "x";
    const members = holder as Record<string, JsonValue>;
    switch (random.below(6)) {
      case 0:
        delete members[key];
        break;
      case 1:
        members[random.pick(oddTexts)] = odd(random);
        break;
      case 2: {
        const old = members[key] ?? null;
        delete members[key];
        members[random.chance(2) ? key.toUpperCase() : key.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)] = old;
        break;
      }
      case 3:
        members[key] = [members[key] ?? null, odd(random)];
        break;
      default:
        members[key] = odd(random);
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

/** Mutates bytes in one place or a few. */
export function mutateBytes(bytes: Buffer, random: SeededRandom): Buffer {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + 1 + random.below(20));
  const [before, slice, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  switch (random.below(7)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      for (let flips = 1 + random.below(4); flips > 0 && flipped.length; flips--) {
        const place = random.below(flipped.length);
        flipped[place] = flipped[place]! ^ (1 << random.below(8));
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
        Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256))),
        after,
      ]);
    case 5:
      return Buffer.concat([before, Buffer.from(random.pick(oddJson)), after]);
    default:
      return Buffer.concat([bytes, random.pick([bytes, Buffer.from("\n"), Buffer.from("{}"), Buffer.from([0])])]);
  }
}

/** Returns a JSON body with mutations. By chance it may still be valid. */
export function mutateBody(value: JsonValue, random: SeededRandom): Buffer {
  const mutated = random.chance(3) ? value : mutateValue(value, random);
  let text = JSON.stringify(mutated) ?? "";
  switch (random.below(10)) {
    case 0:
      // A duplicate key. JSON does not define which one counts.
      text = text.replace(/"(\w+)":/, (all, key: string) => `"${key}":${JSON.stringify(odd(random))},${all}`);
      break;
    case 1: {
      const depth = 1 + random.below(random.chance(20) ? 20_000 : 300);
      const [open, close] = random.chance(2) ? ["[", "]"] : ['{"a":', "}"];
      text = text.replace(/:(?="|\d|\{)/, () => `:${open.repeat(depth)}1${close.repeat(depth)},"x":`);
      break;
    }
    case 2:
      text = text.replace(/"[^"]*"(?!:)/, () => random.pick(oddJson));
      break;
    case 3:
      text = text.replaceAll(",", random.pick([", \t\r\n", ",,", ";"]));
      break;
    default:
  }
  const bytes = Buffer.from(text);
  return random.chance(3) ? mutateBytes(bytes, random) : bytes;
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

/** Adds, replaces or removes one or two headers of every third request. */
export function mutateHeaders(headers: Record<string, string>, random: SeededRandom): Record<string, string> {
  const mutated: Record<string, string> = { ...headers };
  if (!random.chance(3)) return mutated;
  for (let count = 1 + random.below(2); count > 0; count--) {
    const name = random.pick(headerNames);
    if (random.chance(4)) delete mutated[name];
    else
      Object.defineProperty(mutated, name, { value: random.pick(headerValues), enumerable: true, configurable: true });
  }
  return mutated;
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

/** Mutates every third path. The result may still exist. */
export function mutatePath(path: string, random: SeededRandom): string {
  if (!random.chance(3)) return path;
  const segments = path.split("/");
  for (let mutations = 1 + random.below(2); mutations > 0; mutations--) {
    const at = 1 + random.below(segments.length);
    if (random.chance(2)) segments.splice(at, random.below(2), random.pick(pathPieces));
    else segments[Math.min(at, segments.length - 1)] = random.pick(pathPieces);
  }
  const mutated = segments.join("/");
  return mutated.startsWith("/") ? mutated : `/${mutated}`;
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

export function mutateQuery(random: SeededRandom): string {
  if (!random.chance(2)) return "";
  const pairs = Array.from(
    { length: 1 + random.below(3) },
    () => `${random.pick(queryNames)}=${random.pick(queryValues)}`,
  );
  return `?${pairs.join("&")}`;
}

export const verbs = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "LOCK"];
