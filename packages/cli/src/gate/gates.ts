import { type ConnectionValues, parseAddress } from "@assay/library/connection";
import { AssayError } from "@assay/protocol/assay-error";
import { didYouMean } from "@assay/protocol/core";
import type { GateLine, Run } from "@assay/reporters";
import {
  type ClientForecast,
  exitCodeOf,
  failuresOf,
  type Gates,
  outcomeWord,
  shutGates,
  warningsOf,
} from "@assay/suite/report";
import { endingOf, examinedOf } from "@assay/suite/text";
import { changesBetween, countsOf, countsText, isFailed } from "../actions/card-diff.ts";
import { networkOf } from "../actions/card-verify.ts";
import { trustedKeys } from "../card/card-keys.ts";
import { cardInFile, type SourcedCard } from "../card/card-source.ts";
import { conclusionOf, verifiedCard } from "../card/verified-card.ts";
import { UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import type { Screen } from "../terminal/screen.ts";
import type { GatePolicy } from "./policy.ts";

type Demand<Name extends keyof GatePolicy> = NonNullable<GatePolicy[Name]>;

const line = (
  gate: GateLine["gate"],
  status: GateLine["status"],
  because: string,
  details: readonly string[] = [],
): GateLine => ({ gate, status, because, details });

const noRun = "the agent could not be tested";

/** Passes if `assay test` with the same options would exit with 0. */
export function testGate(demand: Demand<"test">, run: Run | undefined): GateLine {
  if (!run) return line("test", "not-examined", noRun);
  const { depth: _, ...gates } = demand;
  const { report } = run;
  // The schema leaves no member with the value undefined.
  const code = exitCodeOf(report, gates as Gates);
  const details = failuresOf(report)
    .filter(({ example }) => !example.disputed)
    .map(({ example, message, where }) => `${example.test}: ${message || example.title} (${where})`);
  if (code > 1) return line("test", "not-examined", endingOf(report) ?? outcomeWord(report));
  const warnings = warningsOf(report).length;
  const warned = warnings === 0 ? [] : [plural(warnings, "warning")];
  const passed = ["no examined rule is broken", ...warned, examinedOf(report)];
  if (code === 0) return line("test", "passed", passed.join("; "));
  const shut = shutGates(report, gates as Gates).map(inPolicyWords);
  return details.length
    ? line("test", "failed", outcomeWord(report), [...details, ...shut])
    : line("test", "failed", shut.join("; "));
}

/** Names the member of the policy instead of the flag: `requireLevel minimal`, not `--require-level minimal`. */
const inPolicyWords = (gate: string): string =>
  gate.replace(/^--([a-z-]+)/, (_, flag: string) =>
    flag.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase()),
  );

/** Passes if the card breaks no client of the released one. */
export async function cardDiffGate(demand: Demand<"cardDiff">, card: () => Promise<SourcedCard>): Promise<GateLine> {
  return examined("cardDiff", async () => {
    const changes = await changesBetween(cardInFile(demand.released), await card());
    const counts = countsOf(changes);
    const details = changes
      .filter(({ effect }) => effect !== "compatible")
      .map(({ effect, message, affects }) => `${effect}: ${message} Affects ${affects}.`);
    const status = isFailed(counts, demand.failOn ?? "breaking") ? "failed" : "passed";
    return line("cardDiff", status, `${countsText(counts)} changes since the release`, details);
  });
}

/** Passes if a trusted key signed the card. */
export async function signatureGate(
  demand: Demand<"signature">,
  card: () => Promise<SourcedCard>,
  { url, flags, screen }: { readonly url: string; readonly flags: ConnectionValues; readonly screen: Screen },
): Promise<GateLine> {
  return examined("signature", async () => {
    const keys = trustedKeys(demand.key, parseAddress(url).host, networkOf(flags), screen, "signature.key");
    const result = await verifiedCard(await card(), keys);
    const details = result.signatures
      .filter(({ code }) => code !== "verified")
      .map(({ code, because }) => `${code}: ${because}`);
    const status = ({ verified: "passed", failed: "failed", unknown: "not-examined" } as const)[result.is];
    return line("signature", status, conclusionOf(result), details);
  });
}

/**
 * Passes if the clients that the policy names work with the agent. A client that Assay knows nothing about does not.
 */
export async function forecastGate(demand: Demand<"forecast">, run: Run | undefined): Promise<GateLine> {
  const { profiles, runForecast } = await import("@assay/suite/forecast");
  const forecast = run && runForecast(run, profiles);
  if (!forecast) return line("forecast", "not-examined", noRun);
  const works = ({ verdict }: ClientForecast): boolean => verdict === "works" || verdict === "works with limits";
  const { clients: named = [], minWorking = 0 } = demand;
  const wanted = named.flatMap((name) => forecast.clients.filter((each) => isNamed(each.client, name)));
  const details = wanted.filter((each) => !works(each)).map(textOf);
  const working = forecast.clients.filter(works).length;
  const unknown = forecast.clients.filter(({ verdict }) => verdict === "unknown").length;
  const failing = wanted.some(({ verdict }) => verdict === "fails");
  const because = `${working} of ${forecast.clients.length} measured clients work, ${unknown} unknown`;
  if (failing || working + unknown < minWorking) return line("forecast", "failed", because, details);
  const isOpen = details.length > 0 || working < minWorking;
  return line("forecast", isOpen ? "not-examined" : "passed", because, details);
}

const textOf = ({ client, verdict, because }: ClientForecast): string =>
  `${client.name} ${client.version}: ${verdict}${because === "" ? "" : `, ${because}`}`;

/**
 * Returns true if the name matches: a name alone means every measured version, "Python SDK 1" those of major version 1.
 */
const isNamed = ({ name, version }: ClientForecast["client"], wanted: string): boolean =>
  wanted === name || `${name} ${version}.`.startsWith(`${wanted}.`);

/** Rejects a policy with a client that Assay has not measured, because Assay could never examine it. */
export async function assertClients({ clients = [] }: Demand<"forecast">, policy: string): Promise<void> {
  const { profiles } = await import("@assay/suite/forecast");
  const names = profiles.map(({ client }) => client.name);
  for (const wanted of clients)
    if (!profiles.some(({ client }) => isNamed(client, wanted)))
      throw new UsageError(
        `${policy}: forecast.clients: no measured client is named "${wanted}".${didYouMean(wanted, names)}`,
        `Clients: ${[...new Set(names)].join(", ")}`,
      );
}

/** Turns an error that prevents the examination into its reason. */
async function examined(gate: GateLine["gate"], examine: () => Promise<GateLine>): Promise<GateLine> {
  try {
    return await examine();
  } catch (error) {
    if (error instanceof AssayError) return line(gate, "not-examined", error.message);
    throw error;
  }
}
