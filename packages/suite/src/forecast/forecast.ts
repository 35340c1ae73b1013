import type { ClientForecast } from "../report/forecast-document.ts";
import { type AbilityId, abilities } from "./abilities.ts";
import type { AnswerShape, SendOperation } from "./answers.ts";
import type { ClientProfile, MeasuredValue } from "./profile.ts";
import type { AgentTraits, OfferedInterface } from "./traits.ts";

/** Matches the traits of an agent with each profile. */
export const forecastOf = (traits: AgentTraits, profiles: readonly ClientProfile[]): readonly ClientForecast[] =>
  profiles.map((profile) => ({
    client: profile.client,
    measured: profile.measured,
    ...forecastFor(traits, profile),
  }));

type Answer = Pick<ClientForecast, "verdict" | "on" | "because">;

function forecastFor(traits: AgentTraits, profile: ClientProfile): Answer {
  const spoken = traits.interfaces.filter(({ on }) => profile.speaks.includes(on));
  if (!traits.interfaces.length) return { verdict: "unknown", because: "the card lists no interface that Assay knows" };
  if (!spoken.length) return notSpoken(traits, profile);
  const [first, ...others] = spoken.map((offered) => forecastOn(offered, traits, profile));
  // Clients choose in their own order, which no profile has.
  const other = others.find(({ verdict }) => verdict === "fails");
  return first!.verdict !== "fails" && first!.verdict !== "unknown" && other
    ? {
        verdict: "unknown",
        because: `with ${placeText(other.on!)} it fails, and Assay does not know which one it chooses`,
      }
    : first!;
}

function notSpoken({ interfaces, isLenient, namesVersion }: AgentTraits, { speaks }: ClientProfile): Answer {
  const offered = `your agent offers ${interfaces.map(({ on }) => placeText(on)).join(", ")}`;
  if (!speaks.length)
    return isLenient
      ? { verdict: "unknown", because: "its messages are malformed, and your agent accepts some malformed messages" }
      : { verdict: "fails", because: `${offered}, and no agent accepted its messages in any version` };
  const speaking = `it speaks ${speaks.map(placeText).join(", ")}`;
  // Clients were measured with cards that name their version.
  const mayGuess = !namesVersion && speaks.some((on) => on.startsWith("0."));
  return mayGuess
    ? { verdict: "unknown", because: `your card names no version, and ${speaking}` }
    : { verdict: "fails", because: `${offered}, and ${speaking}` };
}

/** Returns "1.0 over JSON-RPC". */
export function placeText(on: string): string {
  const [dialect, binding] = on.split(" ");
  return `${dialect} over ${binding === "JSONRPC" ? "JSON-RPC" : binding === "GRPC" ? "gRPC" : binding}`;
}

/** Follows an ordinary message: the card, the answers, and what the agent does besides. */
function forecastOn(offered: OfferedInterface, traits: AgentTraits, profile: ClientProfile): Answer {
  const { on } = offered;
  const measuredAs = (id: AbilityId): Known => known(profile, id, on);
  const onCard = cardNeeds(offered, traits, profile).map((id) => ({ id, ...measuredAs(id) }));
  const bad = onCard.find(isBad);
  if (bad) return { verdict: "fails", on, because: reason(bad) };
  if (traits.requiredExtensions.length)
    return { verdict: "unknown", on, because: `your agent requires the extension ${traits.requiredExtensions[0]}` };
  if (traits.cardAt === "other")
    return { verdict: "unknown", on, because: "the card is at an unusual path, which no client was tried with" };
  const unsure = onCard.find(({ is }) => is === "unknown");
  if (unsure) return { verdict: "unknown", on, because: unmeasured(unsure) };

  const operation = sends(traits, profile, on);
  const answers = (traits.answers[operation] ?? []).map((needs) =>
    worst(needs.map((id) => ({ id, ...measuredAs(id) }))),
  );
  if (!answers.length)
    return { verdict: "unknown", on, because: `the run shows no answer to ${operation}, and the card is fine for it` };
  const lost = answers.filter(isBad);
  if (lost.length === answers.length) return { verdict: "fails", on, because: reasons(lost) };
  const broken = traits.broken.find((each) => isRead(each, operation, on));
  if (broken) return { verdict: "unknown", on, because: `your agent breaks ${broken.rule} in what this client reads` };
  if (operation === "SendMessage" && traits.broken.some(({ rule }) => rule === "SEND-011"))
    return limits(on, "your agent omits the artifacts in the response to SendMessage (SEND-011)");
  const open = answers.find(({ is }) => is === "unknown");
  if (open) return { verdict: "unknown", on, because: unmeasured(open) };
  const also = traits.also.map((id) => ({ id, ...measuredAs(id) }));
  const limit = [...lost, ...answers.filter(({ is }) => is === "altered"), ...also.filter(isLess)];
  if (limit.length) return limits(on, reasons(limit));
  const silent = also.filter(({ is }) => is === "unknown").map(({ id }) => abilities[id].means);
  return { verdict: "works", on, because: silent.length ? `not measured: ${silent.join(", ")}` : "" };
}

const limits = (on: string, because: string): Answer => ({ verdict: "works with limits", on, because });

/** Returns the operation with which the client sends an ordinary message to this agent. */
function sends({ streaming }: AgentTraits, profile: ClientProfile, on: string): SendOperation {
  const isStreaming = profile.sends[on]?.includes("SendStreamingMessage") ?? false;
  return isStreaming && streaming ? "SendStreamingMessage" : "SendMessage";
}

/** Returns what the client must be able to do before it can send at all. */
function cardNeeds(offered: OfferedInterface, traits: AgentTraits, profile: ClientProfile): AbilityId[] {
  const [dialect, binding] = offered.on.split(" ");
  const beside = traits.interfaces.filter(({ on }) => on !== offered.on);
  const isBeside = (version: string, ...wanted: readonly string[]): boolean =>
    beside.some(({ on }) => wanted.some((each) => on === `${version} ${each}`));
  const otherVersion = dialect === "1.0" ? "0.3" : "1.0";
  const isHttp = binding !== "GRPC";
  return [
    ...(traits.cardAt === "agent.json" ? (["older-card-name"] as const) : []),
    ...(offered.elsewhere ? (["card-elsewhere"] as const) : []),
    ...(traits.belowPath ? (["below-path"] as const) : []),
    ...(isBeside(otherVersion, "JSONRPC", "HTTP+JSON", "GRPC")
      ? ([traits.hasOlderForm ? "both-versions" : "listed-older"] as const)
      : []),
    ...(isHttp && isBeside(dialect!, "JSONRPC", "HTTP+JSON") ? (["with-other-http"] as const) : []),
    ...(isHttp && isBeside(dialect!, "GRPC") ? (["with-grpc"] as const) : []),
    ...(offered.tenant ? (["tenant"] as const) : []),
    ...(traits.needsLogin ? (["login"] as const) : []),
    ...(!traits.streaming && profile.sends[offered.on]?.includes("SendStreamingMessage")
      ? (["without-streaming"] as const)
      : []),
  ];
}

interface Known {
  readonly is: MeasuredValue;
  readonly saw?: string;
}

type Needed = Known & { readonly id: AbilityId | AnswerShape };

/** Returns the measured value of an ability, or unknown. */
function known({ abilities: measured }: ClientProfile, id: AbilityId, on: string): Known {
  const rows = measured[id] ?? [];
  return rows.find((row) => row.on.includes(on)) ?? rows.find((row) => row.on.includes("card")) ?? { is: "unknown" };
}

const isBad = ({ is }: Known): boolean => is === "no" || is === "lost";

const badness: readonly MeasuredValue[] = ["no", "lost", "unknown", "altered", "yes"];

/** Returns the need that decides if an answer can be read. */
const worst = (needs: readonly Needed[]): Needed =>
  needs.toSorted((a, b) => badness.indexOf(a.is) - badness.indexOf(b.is))[0]!;

/** Bad, or altered. */
const isLess = (needed: Known): boolean => isBad(needed) || needed.is === "altered";

const isRead = ({ rule, operation, on }: AgentTraits["broken"][number], sent: SendOperation, at: string): boolean =>
  rule !== "SEND-010" && rule !== "SEND-011" && (operation === undefined || (operation === sent && on === at));

const reason = ({ id, is, saw }: Needed): string =>
  is === "altered"
    ? `it changes the white space in ${abilities[id].means}`
    : is === "lost"
      ? `it loses ${abilities[id].means} without an error`
      : `it fails on ${abilities[id].means}${saw === undefined ? "" : ` (${saw})`}`;

const reasons = (needed: readonly Needed[]): string => [...new Set(needed.map(reason))].join("; ");

const unmeasured = ({ id, saw }: Needed): string =>
  `it was not measured with ${abilities[id].means}${saw === undefined ? "" : ` (${saw})`}`;
