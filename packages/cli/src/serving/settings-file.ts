import { readYaml, schemaOf } from "@assay/library/config";
import { z } from "zod";
import { type SettingName, settingNames, settingOf } from "./settings.ts";

const shape = settingNames.map((name) => [name, schemaOf(settingOf(name).is).optional()] as const);
const fileSchema = z.strictObject(Object.fromEntries(shape)).nullable();

/** Reads the settings in a file. */
export function readSettingsFile(file: string): Partial<Record<SettingName, unknown>> {
  return readYaml(file, fileSchema) ?? {};
}
