import { isRecordedWhole } from "../../packages/suite/src/recordings/packing.fixture.ts";

type Members = Record<string, unknown>;

/** Notes which members of its observations a judge reads. The others are not worth recording. */
export class ReadMembers {
  readonly #read = new Map<object, Set<string>>();

  around<T>(value: T): T {
    if (!isPlain(value)) return value;
    const read = this.#read.get(value) ?? new Set();
    this.#read.set(value, read);
    return new Proxy(value, {
      get: (members, name) => {
        read.add(String(name));
        return this.around((members as Members)[String(name)]);
      },
      has: (members, name) => {
        read.add(String(name));
        return name in members;
      },
      // Copied or looked through: every member may matter.
      ownKeys: (members) => {
        for (const name of Object.keys(members)) read.add(name);
        return Reflect.ownKeys(members);
      },
    });
  }

  /** Returns the same value with only the members that were read. */
  taken(value: unknown): unknown {
    const read = isPlain(value) ? this.#read.get(value) : undefined;
    if (!read) return value;
    const members = Object.entries(value as Members).filter(([name]) => read.has(name));
    return Object.fromEntries(members.map(([name, member]) => [name, this.taken(member)]));
  }
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !isRecordedWhole(value);
