import { validators as protoValidators } from "../generated/validators-0.3-proto.ts";
import { validators } from "../generated/validators-0.x.ts";
import type { Violation } from "../schemas/violation.ts";
import { type AjvError, violationsOf } from "../schemas/violations.ts";
import { type Release, releases, type Wire } from "./releases.ts";

type Check = ((json: unknown) => boolean) & { errors?: AjvError[] | null };
type Definitions = Readonly<Record<string, Check>>;

/** The older wires: each has a schema. 1.0's is in schemas/validate.ts. */
export type OlderWire = Exclude<Wire, "1.0">;

// Generated code has no types of its own.
const tables = { ...validators, ...protoValidators } as unknown as Record<string, Definitions>;

/**
 * Every place where `json` is not what a peer of that dialect must write. The definitions carry the names of the
 * official schemas (`Task`, `SendMessageRequest` with its envelope, `AgentCard`; messages of `a2a.v1` for
 * "0.3-proto"). Unknown members are no violation before 1.0, except in ProtoJSON.
 */
export function validateDialect(wire: OlderWire, definition: string, json: unknown): Violation[] {
  const check = checkOf(wire, definition);
  return check(json) ? [] : violationsOf(check.errors ?? [], json);
}

function checkOf(wire: OlderWire, definition: string): Check {
  const check = candidates(wire, definition)
    .map(([table, name]) => own(tables[table]!, name))
    .find((found) => found !== undefined);
  if (!check) throw new TypeError(`A2A ${wire} defines no "${definition}". Is it called so in its official schema?`);
  return check;
}

/** Where a definition may stand, the closest first: 0.2 says only what differs from 0.3, by release. */
function candidates(wire: OlderWire, definition: string): [table: string, name: string][] {
  if (wire === "0.1" || wire === "0.3" || wire === "0.3-proto") return [[`a2a-${wire}`, definition]];
  const known: Release[] = releases.slice(0, releases.indexOf(wire) + 1).toReversed();
  return [
    ...known.map((release): [string, string] => ["a2a-0.2", `${definition}-${release}`]),
    ["a2a-0.2", definition],
    ["a2a-0.3", definition],
  ];
}

const own = (table: Definitions, name: string): Check | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
