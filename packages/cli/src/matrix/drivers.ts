import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type DriverDescription, type KnownFailureRow, readDriver, readKnownFailures } from "@assay/matrix";
import { defined } from "@assay/protocol";
import { didYouMean } from "@assay/protocol/core";
import { UsageError } from "../exit.ts";

/** The folder of this project, the default place of the drivers and the scenarios. */
const project = fileURLToPath(new URL("../../../../", import.meta.url));

/** Returns the folder of the drivers: the named one, the one in the working directory, or the one of this project. */
export function driversFolder(named: string | undefined): string {
  const candidates = named === undefined ? ["sdks", join(project, "sdks")] : [named];
  const found = candidates.find((folder) => existsSync(join(folder, "skills.json")));
  if (found === undefined)
    throw new UsageError(
      `No drivers in ${candidates[0]}.`,
      "The drivers are in the repository of Assay, not in the package. Clone it, and pass its folder sdks: --drivers <folder>",
    );
  return resolve(found);
}

/** Returns the file of the scenarios: the named one, or the one beside the folder of the drivers. */
export const scenariosFile = (named: string | undefined, drivers: string): string =>
  named ?? join(dirname(drivers), "acceptance.yaml");

/** Returns the names of the drivers in a folder. Each driver has the name of its own folder. */
export const driverNames = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => existsSync(join(folder, name, "driver.yaml")));

/** Returns all drivers of a folder, Assay's first, then by name. The driver `own` replaces the one of the same name. */
export function allDrivers(folder: string, own: string | undefined): readonly DriverDescription[] {
  const folders = driverNames(folder)
    .map((name) => join(folder, name))
    .filter((each) => own === undefined || basename(each) !== basename(resolve(own)));
  const drivers = [...folders, ...(own === undefined ? [] : [own])].map(readDriver);
  return drivers.toSorted((a, b) => Number(b.name === "assay") - Number(a.name === "assay"));
}

/** Returns the failures that the drivers list as known. */
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

/** Rejects names that no driver has, because they are probably misspelt. */
export function checkNames(flag: string, given: readonly string[] | undefined, known: readonly string[]): void {
  const wrong = given?.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  throw new UsageError(`${flag} ${wrong}: unknown driver.${didYouMean(wrong, known)}`, `Drivers: ${known.join(", ")}`);
}

/** Returns the variables for drivers: paths of their tools, and no secrets. `skills` is the file that servers read. */
export function driverEnvironment(
  skills: string | undefined,
  timeScale: number,
): Readonly<Record<string, string | undefined>> {
  const passed =
    /^(PATH|HOME|USER|LANG|LC_.*|TZ|TMPDIR|TEMP|TMP|JAVA_HOME|JDK_HOME|NODE_EXTRA_CA_CERTS|SystemRoot|SystemDrive|ComSpec|PATHEXT|USERPROFILE|(LOCAL)?APPDATA|ProgramFiles.*)$/i;
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))),
    ...defined({ ASSAY_SKILLS: skills }),
    ASSAY_TIME_SCALE: String(timeScale),
  };
}
