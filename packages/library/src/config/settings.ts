import { dirname, join } from "node:path";
import { UsageError } from "@assay/protocol/assay-error";
import type { InteropAgent } from "@assay/proxy";
import type { BaselineEntry, TestOptions } from "@assay/suite";
import { optionsInFile, runOptionsOf, type TestValues } from "@assay/suite/options";
import type { Gates } from "@assay/suite/report";
import { createMasker, secretsInAddress } from "@assay/wire";
import { clientOptions, parseAddress } from "../connection/connection.ts";
import type { OptionCaller } from "../connection/option-caller.ts";
import { version } from "../version.ts";
import { configNames } from "./assay-yaml.ts";
import { readBaseline } from "./baseline.ts";
import { isSameAddress, type Project, projectsFor, startOf } from "./project.ts";
import { type Testers, whoTests } from "./testers.ts";
import { withoutTrust } from "./untrusted.ts";

/** The complete settings of a test, from the options of the call and from assay.yaml. The options of the call win. */
export interface Settings {
  readonly url: string;
  readonly options: Omit<TestOptions, "run" | "signal">;
  readonly gates: Gates;
  readonly baseline: readonly BaselineEntry[];
  readonly baselineFile?: string;
  /** the assay.yaml that was read */
  readonly config?: string;
  /** the message that makes the agent ask another agent */
  readonly relay?: string;
  /** the agent that this agent talks to after the test */
  readonly peer?: InteropAgent;
  /** the command that starts the agent, and its working directory */
  readonly start?: { readonly command: string; readonly folder: string };
}

/** The time limit for the first response of an agent that Assay starts. */
const startSeconds = 60;

export async function settingsOf(
  given: string | undefined,
  call: TestValues,
  caller: OptionCaller,
  meant: Project = projectsFor(given, call)[0]!,
): Promise<Settings> {
  const project = call.untrustedConfig ? await withoutTrust(meant, given ?? meant.url, caller) : meant;
  const { file, relay, prompts, expectations, timeouts } = project;
  const address = given === undefined ? project.url : given.trim();
  if (!address) throw noAddress(given, caller);
  const values = await inForce(call, project);
  const url = bare(parseAddress(address));
  const { card, peer } = values;
  const others = [card, peer].flatMap((other) => (other === undefined ? [] : [parseAddress(other)]));
  const testers = await whoTests(values, project, {
    trusted: call.trustHosts ?? [],
    addresses: [address, ...(card === undefined ? [] : [card])],
    isCardGiven: call.card !== undefined,
    file: file ?? configNames[0],
    caller,
  });
  const secrets = [...testers.secrets, ...[url, card ?? ""].flatMap(secretsInAddress)];
  caller.hideBy(createMasker(secrets));
  const start = startOf(given, call, project);
  const warmUp = timeouts?.start ?? (start === undefined ? undefined : startSeconds);
  const baselineFile = call.baseline ?? inFolderOf(file, project.baseline);
  const baseline = baselineFile === undefined ? [] : knownFailures(baselineFile, call);
  return {
    url,
    options: {
      ...runOptionsOf(values),
      url,
      version,
      connection: withCertificate(clientOptions([new URL(url), ...others], values, caller), testers.certificate),
      headers: testers.headers,
      secrets,
      baseline,
      ...defined({
        card: card === undefined ? undefined : parseAddress(card).href,
        query: testers.query,
        principals: testers.principals,
        prompts: prompts && promptsOf(prompts),
        expectations: expectations && defined(expectations),
        warmUp: warmUp === undefined ? undefined : warmUp * 1_000,
        webhook: webhookOf(values),
      }),
    },
    gates: defined({
      failOn: values.failOn,
      requireLevel: values.requireLevel,
      minExamined: values.minExamined,
      equivalent: values.equivalent,
    }),
    baseline,
    ...defined({ baselineFile, config: file, relay }),
    ...(peer !== undefined && { peer: peerOf(peer, call) }),
    ...(start !== undefined && { start: { command: start, folder: folderOf(call, file) } }),
  };
}

/** Merges the options of the call over those of the file. Host permissions of both apply. */
async function inForce(call: TestValues, project: Project): Promise<TestValues> {
  const inFile = optionsInFile(project);
  const hosts = (name: "allowHosts" | "trustHosts"): TestValues => {
    const both = [...(inFile[name] ?? []), ...(call[name] ?? [])];
    return both.length ? { [name]: both } : {};
  };
  const values = { ...inFile, ...call, ...hosts("allowHosts"), ...hosts("trustHosts") };
  if (!call.procedure) return values;
  // The procedure defines its own tests. A file that selects tests is about A2A conformance.
  const { skip: _, ...rest } = values;
  const { procedureRules: only } = await import("@assay/reporters");
  return { ...rest, depth: call.depth ?? "full", only, skills: call.skills ?? ["all"] };
}

function noAddress(given: string | undefined, { isTerminal }: OptionCaller): UsageError {
  const what = given === undefined ? "no URL given, and no assay.yaml with one" : "the URL is empty";
  const address = "Pass its address: assay test http://127.0.0.1:9999";
  return new UsageError(
    `No agent to test: ${what}.`,
    isTerminal ? `${address}\nTo test the built-in agent first: assay demo` : address,
  );
}

/** Adds the client certificate of the principal that runs the test, in case only the file names it. */
const withCertificate = (
  connection: TestOptions["connection"],
  certificate: Testers["certificate"],
): TestOptions["connection"] =>
  certificate === undefined ? connection : { ...connection, tls: { ...connection.tls, ...certificate } };

/** Returns the other agent with its settings in assay.yaml. It never receives the login of this agent. */
function peerOf(address: string, { config }: TestValues): InteropAgent {
  const url = bare(parseAddress(address));
  const [there] = projectsFor(url, { ...(config !== undefined && { config }) });
  const isThere = there?.url !== undefined && isSameAddress(there.url, url);
  return { url, ...(isThere && there.relay !== undefined && { relay: there.relay }) };
}

/** Returns an address without the slash that URL adds to a bare host. */
const bare = ({ href, pathname, search, hash }: URL): string =>
  pathname === "/" && !search && !hash ? href.slice(0, -1) : href;

/** Removes undefined members, so that an undefined option counts as absent. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  // The remaining members have names of T and defined values.
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

const promptsOf = (prompts: NonNullable<Project["prompts"]>): TestOptions["prompts"] =>
  Object.fromEntries(
    Object.entries(defined(prompts)).map(([kind, prompt]) => [
      kind,
      typeof prompt === "string" ? prompt : { parts: prompt.parts.map(defined) },
    ]),
  );

/** A command in assay.yaml runs in the folder of the file, a command of the call in the current folder. */
const folderOf = ({ start }: TestValues, file: string | undefined): string =>
  start === undefined && file !== undefined ? dirname(file) : ".";

/** Resolves a path of assay.yaml against the folder of the file. */
const inFolderOf = (file: string | undefined, path: string | undefined): string | undefined =>
  path === undefined || file === undefined ? path : join(dirname(file), path);

function knownFailures(file: string, { baselineUpdate }: TestValues): readonly BaselineEntry[] {
  try {
    return readBaseline(file);
  } catch (error) {
    // The first update creates the file.
    if (baselineUpdate && error instanceof UsageError && isMissing(error.cause)) return [];
    throw error;
  }
}

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT";

export function webhookOf({ webhookUrl: url, webhookListen: listen }: TestValues): TestOptions["webhook"] {
  return url === undefined && listen === undefined ? undefined : defined({ url, listen });
}
