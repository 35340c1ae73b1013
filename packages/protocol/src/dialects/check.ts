import { validators as protoValidators } from "../generated/validators-0.3-proto.ts";
import { validators } from "../generated/validators-0.x.ts";
import type { Violation } from "../schemas/violation.ts";
import { type AjvError, violationsOf } from "../schemas/violations.ts";
import { type Release, releases, type Wire } from "./releases.ts";

type Check = ((json: unknown) => boolean) & { errors?: AjvError[] | null };
type Definitions = Readonly<Record<string, Check>>;

/** The older wires, each with its own schema. The schema of 1.0 is in schemas/validate.ts. */
export type OlderWire = Exclude<Wire, "1.0">;

// Generated code has no types.
const tables = { ...validators, ...protoValidators } as unknown as Record<string, Definitions>;

/**
 * Returns every place where `json` violates the schema of the dialect. Definitions have the names of the official
 * schemas: `Task`, `SendMessageRequest` with its envelope, `AgentCard`; for "0.3-proto", messages of `a2a.v1`. Before
 * 1.0, unknown members are allowed, except in ProtoJSON.
 */
export function validateDialect(wire: OlderWire, definition: string, json: unknown): Violation[] {
  const check = checkOf(wire, definition);
  return check(json) ? [] : violationsOf(check.errors ?? [], json);
}

function checkOf(wire: OlderWire, definition: string): Check {
  const check = candidates(wire, definition)
    .map(([table, name]) => own(tables[table]!, name))
    .find((found) => found !== undefined);
  if (!check)
    throw new TypeError(`A2A ${wire} has no definition "${definition}". Use the name from its official schema.`);
  return check;
}

/** Tables that may contain a definition, closest first. 0.2 defines only its differences from 0.3, per release. */
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
