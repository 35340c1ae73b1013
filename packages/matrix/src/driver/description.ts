import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { defined } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import {
  type BindingName,
  bindingNames,
  type MatrixVersion,
  matrixVersions,
  type SpokenBindings,
} from "../document/document.ts";
import { readYaml } from "../read-yaml.ts";

/** The content of driver.yaml (docs/drivers.md). */
export interface DriverDescription {
  /** its absolute path */
  readonly folder: string;
  readonly name: string;
  readonly title: string;
  readonly language: string;
  readonly package: string;
  readonly version: string;
  readonly model: DriverModel;
  readonly needs: readonly NeededTool[];
  readonly setup: readonly (readonly string[])[];
  readonly client?: DriverProgram;
  readonly server?: DriverProgram;
  readonly unsupported: readonly UnsupportedRow[];
  /** the name of the file with known failures, in the folder */
  readonly known?: string;
}

export const driverModels = ["1.0", "0.3"] as const;
/** The JSON format of a driver's params and results. */
export type DriverModel = (typeof driverModels)[number];

export interface DriverProgram {
  readonly command: readonly string[];
  readonly speaks: SpokenBindings;
}

export interface NeededTool {
  readonly tool: string;
  readonly atLeast?: string;
  readonly see: readonly string[];
}

export interface UnsupportedRow {
  /** of the client */
  readonly op?: string;
  /** of the server: a scenario that its SDK cannot support */
  readonly scenario?: string;
  readonly versions?: readonly MatrixVersion[];
  readonly bindings?: readonly BindingName[];
  readonly why: string;
}

/** Creates the error for an invalid driver.yaml with all its mistakes. */
const driverMistakes = (folder: string, mistakes: readonly string[]): UsageError =>
  new UsageError(
    `${join(folder, "driver.yaml")}: ${mistakes.join("; ")}`,
    "docs/drivers.md lists the required fields.",
  );

/** Reads the driver.yaml of a folder; throws UsageError. */
export function readDriver(given: string): DriverDescription {
  const folder = resolve(given);
  const page = new DescriptionReader(folder, parsed(folder));
  const name = page.text("name");
  if (name !== "" && name !== basename(folder))
    page.wrong(`name: expected the name of its folder, ${basename(folder)}`);
  const model = page.text("model");
  if (!isOneOf(driverModels, model)) page.wrong(`model: expected "1.0" or "0.3" (in quotes)`);
  const client = page.program("client");
  const server = page.program("server");
  if (!client && !server) page.wrong("client, server: expected at least one of them");
  const known = page.optionalText("known");
  const description: DriverDescription = {
    folder,
    name,
    title: page.text("title"),
    language: page.text("language"),
    package: page.text("package"),
    version: page.text("version"),
    model: model as DriverModel,
    needs: page.needs(),
    setup: page.commands("setup"),
    ...defined({ client, server }),
    unsupported: page.unsupported(),
    ...(known !== undefined && { known }),
  };
  page.close();
  return description;
}

function parsed(folder: string): unknown {
  try {
    return readYaml(readFileSync(join(folder, "driver.yaml"), "utf8"));
  } catch (error) {
    throw driverMistakes(folder, [error instanceof Error ? error.message : String(error)]);
  }
}

type Members = Readonly<Record<string, unknown>>;

class DescriptionReader {
  readonly #folder: string;
  readonly #members: Members;
  readonly #mistakes: string[] = [];
  readonly #known = new Set<string>();

  constructor(folder: string, document: unknown) {
    this.#folder = folder;
    if (!isRecord(document)) throw driverMistakes(folder, ["expected names with values"]);
    this.#members = document;
  }

  wrong(mistake: string): void {
    this.#mistakes.push(mistake);
  }

  #take(name: string): unknown {
    this.#known.add(name);
    return this.#members[name];
  }

  text(name: string): string {
    const value = this.#take(name);
    if (typeof value === "string" && value.trim() !== "") return value;
    this.wrong(`${name}: expected a text${typeof value === "number" ? " (put it in quotes)" : ""}`);
    return "";
  }

  optionalText(name: string): string | undefined {
    return this.#take(name) === undefined ? undefined : this.text(name);
  }

  #list(name: string): readonly unknown[] {
    const value = this.#take(name) ?? [];
    if (Array.isArray(value)) return value;
    this.wrong(`${name}: expected a list`);
    return [];
  }

  commands(name: string): readonly (readonly string[])[] {
    return this.#list(name).filter((each) => {
      if (isWords(each)) return true;
      this.wrong(`${name}: expected each command to be a list of words`);
      return false;
    }) as readonly (readonly string[])[];
  }

  program(name: "client" | "server"): DriverProgram | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (!isRecord(value) || !isWords(value["command"]) || !isRecord(value["speaks"])) {
      this.wrong(`${name}: expected command (a list of words) and speaks (bindings by version)`);
      return undefined;
    }
    const speaks: Partial<Record<MatrixVersion, readonly BindingName[]>> = {};
    for (const [version, bindings] of Object.entries(value["speaks"])) {
      if (!isOneOf(matrixVersions, version)) this.wrong(`${name}.speaks: expected "1.0" or "0.3", found "${version}"`);
      else if (!Array.isArray(bindings) || !bindings.every((each) => isOneOf(bindingNames, each)))
        this.wrong(`${name}.speaks."${version}": expected some of ${bindingNames.join(", ")}`);
      else speaks[version] = bindings as readonly BindingName[];
    }
    return { command: value["command"], speaks };
  }

  needs(): readonly NeededTool[] {
    return this.#list("needs").flatMap((each) => {
      if (isRecord(each) && typeof each["tool"] === "string" && isWords(each["see"])) {
        const { tool, atLeast, see } = each;
        return [{ tool, see, ...(atLeast !== undefined && { atLeast: String(atLeast) }) }];
      }
      this.wrong("needs: expected tool (a text) and see (a list of words) in each");
      return [];
    });
  }

  unsupported(): readonly UnsupportedRow[] {
    return this.#list("unsupported").flatMap((each) => {
      const { op, scenario, why, versions, bindings } = isRecord(each) ? each : {};
      const isOp = typeof op === "string" && scenario === undefined;
      const isScenario = typeof scenario === "string" && op === undefined;
      if ((isOp || isScenario) && typeof why === "string") {
        return [
          {
            ...(isOp ? { op } : { scenario: scenario as string }),
            why,
            ...(Array.isArray(versions) && { versions: versions as MatrixVersion[] }),
            ...(Array.isArray(bindings) && { bindings: bindings as BindingName[] }),
          },
        ];
      }
      this.wrong("unsupported: expected op (of the client) or scenario (of the server), and why, in each");
      return [];
    });
  }

  close(): void {
    for (const name of Object.keys(this.#members)) if (!this.#known.has(name)) this.wrong(`${name}: unknown`);
    if (this.#mistakes.length) throw driverMistakes(this.#folder, this.#mistakes);
  }
}

const isRecord = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");

const isOneOf = <T extends string>(list: readonly T[], value: unknown): value is T => list.includes(value as T);

/**
 * Returns why a driver says that its SDK does not support something over an interface; undefined if it does.
 */
export const unsupportedBy = (
  { unsupported }: DriverDescription,
  { binding, version }: { readonly binding: BindingName; readonly version: MatrixVersion },
  isAbout: (row: UnsupportedRow) => boolean,
): string | undefined =>
  unsupported.find(
    (row) => isAbout(row) && (row.bindings?.includes(binding) ?? true) && (row.versions?.includes(version) ?? true),
  )?.why;
