import { isObject, jsonObjectIn } from "@assay/protocol";

/** The package that a driver reports. */
export interface SdkName {
  readonly name: string;
  readonly version: string;
}

/** Reads the ready line of a program: returns the SDK, or what is wrong. */
export function readReady(
  line: string,
  expected: { readonly package: string; readonly version: string },
): SdkName | string {
  const ready = jsonObjectIn(line);
  if (ready?.["ready"] !== true) return `its first line is not {"ready":true,…}: ${line.slice(0, 200)}`;
  const { sdk } = ready;
  const name = isObject(sdk) ? sdk["name"] : undefined;
  const version = isObject(sdk) ? sdk["version"] : undefined;
  if (typeof name !== "string" || typeof version !== "string") return "its first line has no sdk with name and version";
  if (name !== expected.package) return `it reports the package ${name}, but driver.yaml has ${expected.package}`;
  if (version !== expected.version)
    return `it reports version ${version}, but driver.yaml has ${expected.version}. Install it with --setup`;
  return { name, version };
}
