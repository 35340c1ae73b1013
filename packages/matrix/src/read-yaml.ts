import { wayToCycle } from "@assay/protocol";
import { parse } from "yaml";

/** Reads YAML; throws if it is invalid, or if an alias contains itself, because a walk would never end. */
export function readYaml(text: string): unknown {
  const said: unknown = parse(text);
  const cycle = wayToCycle(said);
  if (!cycle) return said;
  throw new Error(`${cycle.join(".")}: this alias refers to a value that contains it; write the value out instead`);
}
