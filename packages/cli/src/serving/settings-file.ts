import { z } from "zod";
import { readYaml } from "../config/read-yaml.ts";
import type { Kind } from "./kind.ts";
import { type SettingName, settingNames, settingOf } from "./settings.ts";

/** The settings that a file says. */
export function readSettingsFile(file: string): Partial<Record<SettingName, unknown>> {
  return readYaml(file, fileSchema) ?? {};
}

const shape = settingNames.map((name) => [name, inYaml(settingOf(name).is).optional()] as const);
const fileSchema = z.strictObject(Object.fromEntries(shape)).nullable();

/** What YAML makes of a value, read as the same value would be on the command line. */
function inYaml(kind: Kind<unknown>): z.ZodType {
  const one = z.unknown().transform((given, { addIssue }) => {
    const value = isWrittenAs(kind, given) ? kind.read(String(given)) : undefined;
    if (value === undefined) addIssue({ code: "custom", message: kind.wants });
    return value;
  });
  return kind.isList ? z.array(one).transform((values) => values.flat()) : one;
}

function isWrittenAs({ schema, choices, isList }: Kind<unknown>, given: unknown): boolean {
  if (choices || isList) return typeof given === "string";
  return typeof given === (schema["type"] === "integer" ? "number" : schema["type"]);
}
