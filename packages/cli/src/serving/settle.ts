import { didYouMean } from "@assay/protocol/core";
import type { Command } from "commander";
import { UsageError } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";
import {
  flagOf,
  type ServeSettings,
  type SettingName,
  settingNames,
  settingOf,
  variableOf,
  variablePrefix,
} from "./settings.ts";

/** The effective settings, with the source of each. */
export interface Settled {
  readonly settings: ServeSettings;
  /** "--store", "ASSAY_SERVE_STORE", "serve.yaml: store"; undefined for a default */
  placeOf(name: SettingName): Place | undefined;
}

export interface Place {
  readonly is: "flag" | "environment" | "file";
  /** the name for people: "--store", "ASSAY_SERVE_STORE", "serve.yaml: store" */
  readonly name: string;
}

type Values = Partial<Record<SettingName, unknown>>;

/** Merges the settings: flags win over the environment, the environment over the file, the file over the defaults. */
export async function settle(command: Command, env: NodeJS.ProcessEnv): Promise<Settled> {
  const flags: Values = onlyGiven((name) =>
    command.getOptionValueSource(name) === "cli" ? command.getOptionValue(name) : undefined,
  );
  const environment = readEnvironment(env);
  const file: string | undefined = command.getOptionValue("config") ?? (env[configVariable] || undefined);
  const inFile: Values = file === undefined ? {} : (await import("./settings-file.ts")).readSettingsFile(file);
  const defaults = onlyGiven((name) => settingOf(name).default);
  return {
    // The kind of each setting has validated its value.
    settings: { ...defaults, ...inFile, ...environment, ...flags } as ServeSettings,
    placeOf(name) {
      if (name in flags) return { is: "flag", name: flagOf(name) };
      if (name in environment) return { is: "environment", name: variableOf(name) };
      return name in inFile ? { is: "file", name: `${file}: ${name}` } : undefined;
    },
  };
}

const configVariable = variableOf("config");

function onlyGiven(read: (name: SettingName) => unknown): Values {
  const entries = settingNames.map((name) => [name, read(name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Rejects an unknown variable with the prefix, because it is probably misspelt. */
function readEnvironment(env: NodeJS.ProcessEnv): Values {
  const known = [configVariable, ...settingNames.map(variableOf)];
  const unknown = Object.keys(env).find((name) => name.startsWith(variablePrefix) && !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `${escapeText(unknown)} in the environment is not a setting of assay serve.${didYouMean(unknown, known)}`,
      "docs/operations.md lists the settings. In Kubernetes, enableServiceLinks: false keeps its own variables away.",
    );
  return onlyGiven((name) => valueIn(env[variableOf(name)], name));
}

/** Reads the value of a variable. An empty variable counts as absent. */
function valueIn(given: string | undefined, name: SettingName): unknown {
  if (given === undefined || given === "") return undefined;
  const { is } = settingOf(name);
  const texts = is.item ? given.split(",").map((each) => each.trim()) : [given];
  const values = texts.map((each) => is.read(each));
  if (values.includes(undefined))
    throw new UsageError(`${variableOf(name)}: expected ${is.wants}, found ${shown(given, name)}`);
  return is.item ? values.flat() : values[0];
}

const shown = (given: string, name: SettingName): string =>
  settingOf(name).is.isSecret ? "something else" : escapeText(JSON.stringify(given.slice(0, 60)));
