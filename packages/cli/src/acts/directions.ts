import { startTestbed, type Testbed } from "@assay/agents";
import { webhookOf } from "@assay/library/config";
import { clientOptions, givenCredentials, parseAddress } from "@assay/library/connection";
import type { SecretValue } from "@assay/library/secrets";
import { version } from "@assay/library/version";
import { isLoopback } from "@assay/protocol";
import type { RunName } from "@assay/scenarios";
import { isTestbed, type TestOptions } from "@assay/suite";
import { bindCredentials, createMasker, type HeaderPairs, secretsInAddress } from "@assay/wire";
import type { ActsFlags } from "../commands/acts.ts";
import { UsageError } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";

/**
 * The credentials that the test bed accepts under the profile of ACTS. They are test data, not secrets
 * (docs/conventions.md).
 */
const tokens = { valid: "itk-valid-token", other: "itk-other-token", insufficient: "itk-insufficient-token" };
const bearer = (token: string): HeaderPairs => [["Authorization", `Bearer ${token}`]];

/** The agents of a run and the credentials for them. */
export interface ActsDirections {
  readonly to: (path: string | undefined, run: RunName) => Promise<TestOptions | undefined>;
  /** the predefined variables of scenarios */
  readonly given: Record<string, string>;
  readonly secrets: readonly SecretValue[];
  readonly isLocal: boolean;
  close(): Promise<void>;
}

export async function actsDirections(
  flags: ActsFlags,
  people: Screen,
  { signal, more }: { signal: AbortSignal; more: readonly SecretValue[] },
): Promise<ActsDirections> {
  const url = parseAddress(flags.url!);
  const { headers, query = [], secrets: own } = await givenCredentials(flags, people, flags.url!);
  const secrets = [...own, ...more, ...secretsInAddress(url.href)];
  people.hideBy(createMasker(secrets));
  const isLocal = isLoopback(url.hostname);
  const onTestbed = isLocal && (await leadsToTestbed(url, flags, headers));
  const beds = new Map<RunName, Promise<Testbed>>();
  const webhook = webhookOf(flags);
  const named = namedAgents(flags);

  /** A file may name any address, so credentials go only to addresses of the command line. */
  const mine = [url.href, flags.authUrl, flags.reducedUrl, ...named.values()].filter((each) => each !== undefined);
  const bound = bindCredentials({
    named: mine.filter((each) => isAddress(each)).map(parseAddress),
    trustHosts: flags.trustHosts ?? [],
    fields: headers,
    beyondFields: query.length > 0,
  });
  const headersAt = (address: URL): HeaderPairs => bound.permitted(address, headers);

  const addressFor = async (path: string | undefined, run: RunName): Promise<URL | undefined> => {
    if (run === "main") return path === undefined ? url : below(url, named.get(path) ?? path);
    const given = run === "auth" ? flags.authUrl : flags.reducedUrl;
    if (given !== undefined) return secondAddress(parseAddress(given), path, named);
    if (!onTestbed || path !== undefined) return undefined;
    const bed = beds.get(run) ?? secondBed(run);
    beds.set(run, bed);
    return new URL(url.pathname, (await bed).url);
  };

  return {
    isLocal,
    secrets,
    given: onTestbed ? { insufficientAuthToken: tokens.insufficient } : {},
    async to(path, run) {
      const address = await addressFor(path, run);
      if (!address) return undefined;
      // Agents that a file names bring their own credentials. The tokens of ACTS are for the agent under test.
      const shown = onTestbed && path === undefined && !headers.length ? bearer(tokens.valid) : headersAt(address);
      return {
        url: address.href,
        run: "acts",
        version,
        connection: clientOptions([address], flags),
        secrets,
        headers: shown,
        ...(bound.mayGoTo(address) && { query }),
        trustHosts: flags.trustHosts ?? [],
        ...(onTestbed && path === undefined && { principals: { second: { headers: bearer(tokens.other) } } }),
        ...(webhook && { webhook }),
        signal,
      };
    },
    async close() {
      for (const bed of beds.values()) await (await bed).close(0);
    },
  };
}

/** Starts a test bed for one of the second runs of the corpus. `close` of the directions stops it. */
const secondBed = (run: RunName): Promise<Testbed> =>
  startTestbed({
    host: "127.0.0.1",
    port: 0,
    version,
    profile: { profile: "acts", actsAuth: run === "auth", actsReduced: run === "reduced" },
  });

/**
 * Returns true if the URL is Assay's test bed: only it accepts the tokens of ACTS, and Assay starts the second runs for
 * it.
 */
async function leadsToTestbed(url: URL, flags: ActsFlags, headers: HeaderPairs): Promise<boolean> {
  const { createPeerClients, discoverCard } = await import("@assay/wire");
  const credentials = bindCredentials({ named: [url], fields: headers });
  const clients = createPeerClients({ ...clientOptions([url], flags), credentials });
  try {
    const { found } = await discoverCard(clients.http, url.href, headers);
    return found !== undefined && isTestbed(found);
  } finally {
    await clients.close();
  }
}

const isAddress = (path: string): boolean => /^https?:\/\//.test(path);

/**
 * Resolves a path: `spec` below http://127.0.0.1:4040 is http://127.0.0.1:4040/spec. A complete address stays
 * unchanged.
 */
function below(base: URL, path: string | undefined): URL {
  if (path === undefined) return base;
  if (isAddress(path)) return parseAddress(path);
  return new URL(`${base.pathname.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`, base);
}

/**
 * Returns the base address of a second run. If the user gave the complete address of an agent, no path is added to it.
 */
function secondAddress(base: URL, path: string | undefined, named: ReadonlyMap<string, string>): URL {
  const place = path === undefined ? undefined : (named.get(path) ?? path);
  return place !== undefined && isAddress(place) ? base : below(base, place);
}

function namedAgents({ agent = [] }: ActsFlags): Map<string, string> {
  return new Map(
    agent.map((text) => {
      const at = text.indexOf("=");
      if (at < 1)
        throw new UsageError(`--agent ${text}: expected name=path, such as spec=/v1 or spec=http://127.0.0.1:9999`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
