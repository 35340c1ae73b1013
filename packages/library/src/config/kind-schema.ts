import { type Kind, taken } from "@assay/suite/options";
import { z } from "zod";

/** Returns a schema that reads a value of a file like the same value on the command line. */
export function schemaOf(kind: Kind<unknown>): z.ZodType {
  if (kind.item && kind.schema["type"] === "array") return z.array(schemaOf(kind.item));
  const read = z.unknown().transform((given, { addIssue }) => {
    const value = taken(kind, given);
    if (value === undefined) addIssue({ code: "custom", message: kind.wants });
    return value;
  });
  return read.meta({ ...kind.schema });
}
