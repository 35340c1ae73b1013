import { wayToCycle } from "@assay/protocol";
import { parse } from "yaml";

/** Reads a text as YAML; throws on what is none, and on an alias within what it stands for, through which no walk comes to an end. */
export function readYaml(text: string): unknown {
  const said: unknown = parse(text);
  const cycle = wayToCycle(said);
  if (!cycle) return said;
  throw new Error(`${cycle.join(".")}: this alias refers to a value that contains it; write the value out instead`);
}
