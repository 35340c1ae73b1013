import { dirname, join } from "node:path";
import type { InteropAgent } from "@assay/proxy";
import type { BaselineEntry, CertificateAndKey, PrincipalCredentials, TestOptions } from "@assay/suite";
import { type Gates, sdkNames } from "@assay/suite/report";
import { createMasker, secretsInAddress } from "@assay/wire";
import type { TestFlags } from "../commands/test.ts";
import { clientOptions, flagCredentials, parseAddress } from "../connection.ts";
import { type Credentials, credentialsOf, type GivenCredentials, type ObtainToken, readerIn } from "../credentials.ts";
import { didYouMean } from "../did-you-mean.ts";
import { UsageError } from "../exit.ts";
import { tokenGetter } from "../oauth.ts";
import { readAllowedSecret } from "../secret-use/allowed-secret.ts";
import { secretUses } from "../secret-use/secret-use.ts";
import type { Screen } from "../terminal/screen.ts";
import { version } from "../version.ts";
import { type PrincipalSettings, usualConfig } from "./assay-yaml.ts";
import { readBaseline } from "./baseline.ts";
import { admitSecrets } from "./config-secrets.ts";
import { givenIn, namesIn } from "./principal-credentials.ts";
import { isSameAddress, type Project, projectsFor, startOf } from "./project.ts";
import { withoutTrust } from "./untrusted.ts";

/** Everything a test needs to know, from flags and assay.yaml together; flags win. */
export interface Settings {
  readonly url: string;
  readonly options: Omit<TestOptions, "run" | "signal">;
  readonly gates: Gates;
  readonly baseline: readonly BaselineEntry[];
  readonly baselineFile?: string;
  /** the assay.yaml that was read */
  readonly config?: string;
  /** what makes the agent ask another one */
  readonly relay?: string;
  /** another agent, to talk to after the test */
  readonly peer?: InteropAgent;
  /** how the agent is started, and in which folder */
  readonly start?: { readonly command: string; readonly folder: string };
}

/** How long an agent that we start ourselves may take until it answers. */
const startMs = 60_000;

export async function settingsOf(
  given: string | undefined,
  flags: TestFlags,
  screen: Screen,
  meant: Project = projectsFor(given, flags)[0]!,
): Promise<Settings> {
  const project = flags.untrustedConfig ? await withoutTrust(meant, given ?? meant.url, screen) : meant;
  const { file } = project;
  const start = startOf(given, flags, project);
  const address = addressOf(given, project, screen);
  const url = bare(parseAddress(address));
  const card = flags.card ?? project.card;
  const merged: TestFlags = {
    ...(project.contact !== undefined && { contact: project.contact }),
    ...(project.timeouts?.idle !== undefined && { timeout: project.timeouts.idle }),
    ...flags,
    allowHost: [...(project.allowHosts ?? []), ...(flags.allowHost ?? [])],
    trustHost: [...(project.trustHosts ?? []), ...(flags.trustHost ?? [])],
  };
  const baselineFile = flags.baseline ?? inFolderOf(file, project.baseline);
  const baseline = baselineFile === undefined ? [] : knownFailures(baselineFile, flags);
  const {
    headers,
    query,
    certificate,
    secrets: own,
    principals,
  } = await whoTests(merged, project, {
    trusted: flags.trustHost ?? [],
    addresses: [address, ...(card === undefined ? [] : [card])],
    file: file ?? usualConfig,
    screen,
  });
  const webhook = webhookOf(flags, project);
  const secrets = [...own, ...[url, card ?? ""].flatMap(secretsInAddress)];
  screen.hideBy(createMasker(secrets));
  const warmUp = secondsIn(project.timeouts?.start) ?? (start === undefined ? undefined : startMs);
  const options: Settings["options"] = {
    url,
    version,
    connection: withCertificate(
      clientOptions(
        [new URL(url), ...[card, flags.peer].flatMap((other) => (other === undefined ? [] : [parseAddress(other)]))],
        merged,
      ),
      certificate,
    ),
    headers,
    secrets,
    baseline,
    ...defined({
      card: card === undefined ? undefined : parseAddress(card).href,
      query,
      principals,
      trustHosts: merged.trustHost?.length ? merged.trustHost : undefined,
      depth: flags.depth ?? (flags.procedure ? "full" : project.depth),
      bindings: flags.binding ?? project.bindings,
      dialects: flags.dialect ?? project.dialects,
      only: flags.procedure ? (await import("@assay/reporters")).procedureRules : (flags.only ?? project.only),
      skip: flags.procedure ? undefined : (flags.skip ?? project.skip),
      procedure: flags.procedure || undefined,
      prompts: project.prompts && promptsOf(project.prompts),
      expectations: project.expectations && defined(project.expectations),
      skills:
        flags.skill ?? (flags.procedure ? ["all"] : project.skill === undefined ? undefined : [project.skill].flat()),
      convention: flags.convention ?? project.convention,
      useExamples: flags.useExamples ?? project.useExamples,
      budget: flags.budget ?? project.budget,
      concurrency: flags.concurrency ?? project.concurrency,
      rate: flags.rate ?? project.rate,
      strict: flags.strict ?? project.strict,
      ruleSet: flags.spec ?? project.spec,
      rude: flags.rude,
      redact: flags.redact,
      taskTimeout: secondsIn(flags.taskTimeout ?? project.timeouts?.task),
      maxTime: secondsIn(flags.maxTime ?? project.timeouts?.run),
      grace: secondsIn(flags.grace ?? project.timeouts?.grace),
      warmUp,
      webhook,
      production: flags.production ?? project.production,
      sdk: sdkIn(flags.sdk, "--sdk") ?? sdkIn(project.sdk, `${file ?? usualConfig}: sdk`),
      ignoreKnownSdk: flags.ignoreKnownSdk ?? project.ignoreKnownSdk,
    }),
  };
  return {
    url,
    options,
    gates: defined({
      failOn: flags.failOn ?? project.failOn,
      requireLevel: flags.requireLevel ?? project.requireLevel,
      minExamined: flags.minExamined ?? project.minExamined,
    }),
    baseline,
    ...defined({ baselineFile, config: file, relay: project.relay }),
    ...(flags.peer !== undefined && { peer: peerOf(flags.peer, flags) }),
    ...(start !== undefined && { start: { command: start, folder: folderOf(flags, file) } }),
  };
}

/** The certificate of the principal that tests, where the file names it and not the command line. */
const withCertificate = (
  connection: TestOptions["connection"],
  certificate: CertificateAndKey | undefined,
): TestOptions["connection"] =>
  certificate === undefined ? connection : { ...connection, tls: { ...connection.tls, ...certificate } };

/** The other agent, with what assay.yaml says of it; the login of this one is not for it. */
function peerOf(address: string, flags: TestFlags): InteropAgent {
  const url = bare(parseAddress(address));
  const [there] = projectsFor(url, { ...(flags.config !== undefined && { config: flags.config }) });
  const isThere = there?.url !== undefined && isSameAddress(there.url, url);
  return { url, ...(isThere && there.relay !== undefined && { relay: there.relay }) };
}

function addressOf(given: string | undefined, project: Project, screen: Screen): string {
  const address = given === undefined ? project.url : given.trim();
  if (address) return address;
  const what = given === undefined ? "no URL was given, and there is no assay.yaml with one" : "the URL is empty";
  throw new UsageError(
    `There is no agent to test: ${what}.`,
    screen.isTerminal
      ? "Give its address: assay test http://127.0.0.1:9999\nTo see a test of the built-in agent first: assay demo"
      : "Give its address: assay test http://127.0.0.1:9999",
  );
}

/** "a2a-python" or "a2a-python@1.3.0" */
function sdkIn(text: string | undefined, place: string): TestOptions["sdk"] {
  if (text === undefined) return undefined;
  const [name = "", version] = text.trim().split("@", 2);
  if (!sdkNames.includes(name))
    throw new UsageError(
      `${place}: Assay does not know the SDK "${name}".${didYouMean(name, sdkNames)}`,
      `Known: ${sdkNames.join(", ")}; with a version: a2a-python@1.3.0`,
    );
  return { name, ...(version && { version }) };
}

/** As people write it: a host alone has no slash behind it. */
const bare = ({ href, pathname, search, hash }: URL): string =>
  pathname === "/" && !search && !hash ? href.slice(0, -1) : href;

/** What is absent stays absent: an option that is undefined is no option. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined);
  // The members that are left are among those of T, and have a value.
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

const promptsOf = (prompts: NonNullable<Project["prompts"]>): TestOptions["prompts"] =>
  Object.fromEntries(
    Object.entries(defined(prompts)).map(([kind, prompt]) => [
      kind,
      typeof prompt === "string" ? prompt : { parts: prompt.parts.map(defined) },
    ]),
  );

const secondsIn = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000;

/** A command of assay.yaml is meant from where the file is, one of the call from where it is given. */
const folderOf = ({ start }: TestFlags, file: string | undefined): string =>
  start === undefined && file !== undefined ? dirname(file) : ".";

/** A path in assay.yaml is meant from where the file is. */
const inFolderOf = (file: string | undefined, path: string | undefined): string | undefined =>
  path === undefined || file === undefined ? path : join(dirname(file), path);

function knownFailures(file: string, { baselineUpdate }: TestFlags): readonly BaselineEntry[] {
  try {
    return readBaseline(file);
  } catch (error) {
    // The first update makes the file.
    if (baselineUpdate && error instanceof UsageError && isMissing(error.cause)) return [];
    throw error;
  }
}

const isMissing = (cause: unknown): boolean => (cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT";

interface Testers extends Credentials {
  readonly principals: TestOptions["principals"];
}

interface TestersPlace {
  readonly addresses: string[];
  readonly file: string;
  /** hosts that the command line trusts with credentials */
  readonly trusted: readonly string[];
  readonly screen: Screen;
}

async function whoTests(
  flags: TestFlags,
  project: Project,
  { addresses, file, trusted, screen }: TestersPlace,
): Promise<Testers> {
  const named = project.principals ?? {};
  if (flags.principal !== undefined && !named[flags.principal])
    throw new UsageError(
      `--principal ${flags.principal}: assay.yaml knows no such principal`,
      `Write it there: principals: { ${flags.principal}: { bearer: env:TOKEN } }`,
    );
  const isLoggedIn = [flags.bearer, flags.basic, flags.apiKey, flags.oauthClient].some((each) => each !== undefined);
  const tester = isLoggedIn && flags.principal === undefined ? undefined : (flags.principal ?? "default");
  const { default: own, second, restricted, invalid = {} } = named;
  const users = {
    tester: tester && namedLogin(tester, tester === "default" ? own : named[tester]),
    second: namedLogin("second", second),
    restricted: namedLogin("restricted", restricted),
  };
  const flawed = Object.entries(invalid).map(([flaw, settings]) => namedLogin(`invalid.${flaw}`, settings)!);
  const logins = [...Object.values(users), ...flawed].filter((each) => each !== undefined);
  const targets = addresses.map((address) => parseAddress(address).href);
  const uses = await Promise.all(
    logins.map(({ owner, given }) => secretUses(given, targets, namesIn(`principals.${owner}`, owner))),
  );
  const allowed = (flags.allowSecret ?? []).map(readAllowedSecret);
  admitSecrets(uses.flat(), { file, allowed, trustHosts: project.trustHosts ?? [], trusted }, screen);
  const obtainToken = tokenGetter(clientOptions([], flags));
  const read = (login: NamedLogin): Promise<Credentials> => fileCredentials(login, { file, screen, obtainToken });
  const ofFlags = await flagCredentials(flags, screen, ...addresses);
  const strangeCard = flags.card === undefined && project.card !== undefined ? parseAddress(project.card) : undefined;
  if (strangeCard && ofFlags.secrets.length && strangeCard.origin !== parseAddress(addresses[0]!).origin)
    screen.complain(`${file}: card shows the credentials of the command line to ${strangeCard.host}, too.`);
  const shown = {
    tester: users.tester && (await read(users.tester)),
    second: users.second && (await read(users.second)),
    restricted: users.restricted && (await read(users.restricted)),
  };
  const refused: [string, Credentials][] = [];
  for (const [index, flaw] of Object.keys(invalid).entries()) refused.push([flaw, await read(flawed[index]!)]);
  const all = [shown.tester, ofFlags, shown.second, shown.restricted, ...refused.map(([, each]) => each)].filter(
    (each) => each !== undefined,
  );
  const query = [...(shown.tester?.query ?? []), ...(ofFlags.query ?? [])];
  const certificate = ofFlags.certificate ?? shown.tester?.certificate;
  return {
    headers: [...(shown.tester?.headers ?? []), ...ofFlags.headers],
    ...(query.length > 0 && { query }),
    ...(certificate && { certificate }),
    secrets: all.flatMap(({ secrets }) => secrets),
    principals: {
      ...(shown.second && { second: shownOf(shown.second) }),
      ...(shown.restricted && { restricted: shownOf(shown.restricted) }),
      ...(refused.length > 0 && {
        invalid: Object.fromEntries(refused.map(([flaw, each]) => [flaw, shownOf(each)])),
      }),
    },
  };
}

/** A principal of the file, and how it logs in: secrets still named, not read. */
interface NamedLogin {
  readonly owner: string;
  readonly given: GivenCredentials;
}

const namedLogin = (owner: string, settings: PrincipalSettings | undefined): NamedLogin | undefined =>
  settings && { owner, given: givenIn(settings) };

/** What the agent is shown; the secrets in it are listed apart. */
const shownOf = ({ secrets: _, ...shown }: Credentials): PrincipalCredentials => shown;

const fileCredentials = (
  { owner, given }: NamedLogin,
  { file, screen, obtainToken }: { readonly file: string; readonly screen: Screen; readonly obtainToken: ObtainToken },
): Promise<Credentials> =>
  credentialsOf(
    given,
    (name) =>
      screen.complain(`warning: ${name}: a secret in a file is seen by all who see it; write env:NAME or @file.`),
    obtainToken,
    namesIn(`${file}: principals.${owner}`, owner),
    readerIn(dirname(file)),
  );

function webhookOf(flags: TestFlags, { webhook }: Project): TestOptions["webhook"] {
  const url = flags.webhookUrl ?? webhook?.url;
  const listen = flags.webhookListen ?? webhook?.listen;
  if (url === undefined && listen === undefined) return undefined;
  if (url !== undefined && !(URL.canParse(url) && /^https?:/.test(url)))
    throw new UsageError(`The address of the webhook, ${url}, is no http or https URL`);
  return { ...(url !== undefined && { url }), ...(listen !== undefined && { listen: socketOf(listen) }) };
}

/** "0.0.0.0:8080", "[::1]:8080", ":8080" or "8080" */
export function socketOf(text: string): { host: string; port: number } {
  const [, host, port] = /^(?:(\[[^\]]+\]|[^:]*):)?(\d{1,5})$/.exec(text.trim()) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`The place where the webhook listens, ${text}, should be host:port, such as 127.0.0.1:8080`);
  return { host: host ? host.replace(/^\[|\]$/g, "") : "127.0.0.1", port: Number(port) };
}
