import { z } from "zod";
import { schemaOf } from "../config/kind-schema.ts";
import { readYaml } from "../config/read-yaml.ts";
import { type SettingName, settingNames, settingOf } from "./settings.ts";

const shape = settingNames.map((name) => [name, schemaOf(settingOf(name).is).optional()] as const);
const fileSchema = z.strictObject(Object.fromEntries(shape)).nullable();

/** The settings that a file says. */
export function readSettingsFile(file: string): Partial<Record<SettingName, unknown>> {
  return readYaml(file, fileSchema) ?? {};
}
