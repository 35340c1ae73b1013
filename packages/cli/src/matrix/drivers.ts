import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type DriverDescription, type KnownFailureRow, readDriver, readKnownFailures } from "@assay/matrix";
import { didYouMean } from "@assay/protocol/core";
import { UsageError } from "../exit.ts";

/** The folder of this project, where the drivers and the scenarios are unless they are named. */
const project = fileURLToPath(new URL("../../../../", import.meta.url));

/** Where the drivers are: as named, in the working folder, or in this project. */
export function driversFolder(named: string | undefined): string {
  const candidates = named === undefined ? ["sdks", join(project, "sdks")] : [named];
  const found = candidates.find((folder) => existsSync(join(folder, "skills.json")));
  if (found === undefined)
    throw new UsageError(`No drivers in ${candidates[0]}.`, "Pass the folder sdks of the project: --drivers <folder>");
  return resolve(found);
}

/** The scenarios, beside the folder of the drivers unless they are named. */
export const scenariosFile = (named: string | undefined, drivers: string): string =>
  named ?? join(dirname(drivers), "acceptance.yaml");

/** All drivers of a folder, ours first, then by name; `own` is one from elsewhere that takes the place of its namesake. */
export function allDrivers(folder: string, own: string | undefined): readonly DriverDescription[] {
  const folders = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((each) => existsSync(join(each, "driver.yaml")))
    .filter((each) => own === undefined || basename(each) !== basename(resolve(own)));
  const drivers = [...folders, ...(own === undefined ? [] : [own])].map(readDriver);
  return drivers.toSorted((a, b) => Number(b.name === "assay") - Number(a.name === "assay"));
}

/** The failures that the drivers list as known. */
export function knownFailures(
  drivers: readonly DriverDescription[],
  scenarios: readonly string[],
): readonly KnownFailureRow[] {
  return drivers.flatMap(({ folder, known, name }) => {
    if (known === undefined) return [];
    const file = join(folder, known);
    try {
      return readKnownFailures({ file, text: readFileSync(file, "utf8"), driver: name, scenarios });
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

/** Names that no driver has are mistakes of typing. */
export function checkNames(flag: string, given: readonly string[] | undefined, known: readonly string[]): void {
  const wrong = given?.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  throw new UsageError(`${flag} ${wrong}: unknown driver.${didYouMean(wrong, known)}`, `Drivers: ${known.join(", ")}`);
}

/** The variables that drivers get: paths of their tools, and nothing secret. */
export function driverEnvironment(skills: string, timeScale: number): Readonly<Record<string, string | undefined>> {
  const passed =
    /^(PATH|HOME|USER|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|JAVA_HOME|JDK_HOME|NODE_EXTRA_CA_CERTS|SystemRoot|SystemDrive|ComSpec|PATHEXT|USERPROFILE|(LOCAL)?APPDATA|ProgramFiles.*)$/i;
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))),
    ASSAY_SKILLS: skills,
    ASSAY_TIME_SCALE: String(timeScale),
  };
}
