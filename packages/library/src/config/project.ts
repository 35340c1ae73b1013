import { UsageError } from "@assay/protocol/assay-error";
import { didYouMean } from "@assay/protocol/core";
import type { TestValues } from "@assay/suite/options";
import { parseAddress } from "../connection/connection.ts";
import { type AssayYaml, readAssayYaml } from "./assay-yaml.ts";

/** The settings of one agent in assay.yaml. */
export interface Project extends Omit<AssayYaml, "agents"> {
  /** set if the file lists several agents */
  readonly name?: string;
  /** the file that contains it */
  readonly file?: string;
}

/** Returns the selected agents: the one at this address, those chosen by name, or all agents of the file. */
export function projectsFor(
  given: string | undefined,
  flags: Pick<TestValues, "config" | "agent">,
): readonly Project[] {
  const { agents = [], ...above } = readAssayYaml(flags.config);
  const projects = agents.map((own): Project => ({ ...above, ...own }));
  if (flags.agent) return chosen(projects, flags.agent);
  if (given === undefined) return projects.length ? projects : [above];
  const there = projects.find(({ url }) => url !== undefined && isSameAddress(url, given));
  return [there ?? above];
}

function chosen(projects: readonly Project[], names: readonly string[]): readonly Project[] {
  const known = projects.map(({ name }) => name!);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return projects.filter(({ name }) => names.includes(name!));
  throw new UsageError(
    `--agent ${unknown}: assay.yaml has no such agent.${didYouMean(unknown, known)}`,
    known.length ? `Agents: ${known.join(", ")}` : "List them in assay.yaml under agents:, each with a name and a url.",
  );
}

/**
 * Returns the command that starts the agent: the one of the call, or that of the file if the call tests the file's
 * agent.
 */
export function startOf(
  given: string | undefined,
  flags: Pick<TestValues, "start">,
  { start, url }: Project,
): string | undefined {
  if (flags.start !== undefined) return flags.start === false ? undefined : flags.start;
  if (start === undefined) return undefined;
  const isMeant = given === undefined || (url !== undefined && isSameAddress(url, given));
  return isMeant ? start : undefined;
}

export function isSameAddress(one: string, other: string): boolean {
  if (other.trim() === "") return false;
  const [a, b] = [one, other].map((address) => parseAddress(address.trim()).href.replace(/\/$/, ""));
  return a === b;
}
