import { newestFirst } from "@assay/protocol";
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
type PlacedAnswer = Answer & { readonly on: string };

function forecastFor(traits: AgentTraits, profile: ClientProfile): Answer {
  const { speaks, notSpoken } = profile;
  const { interfaces } = traits;
  if (!interfaces.length) return { verdict: "unknown", because: "the card lists no interface that Assay knows" };
  const [first, ...others] = interfaces
    .filter(({ on }) => speaks.includes(on) || !notSpoken.includes(on))
    .map((offered): PlacedAnswer => {
      const { on } = offered;
      return speaks.includes(on)
        ? forecastOn(offered, traits, profile)
        : { verdict: "unknown", on, because: `it was not measured with ${placeText(on)}` };
    });
  return first ? combined(first, others) : speaksNone(traits, profile);
}

/**
 * Combines the forecasts for all interfaces that the client may choose. Clients choose in their own order, which no
 * profile has.
 */
function combined(first: PlacedAnswer, others: readonly PlacedAnswer[]): PlacedAnswer {
  const all = [first, ...others];
  const other = all.find(({ verdict }) => verdict === "fails") ?? all.find(({ verdict }) => verdict === "unknown");
  if (!other) return all.find(({ verdict }) => verdict === "works with limits") ?? first;
  if (all.every(({ verdict }) => verdict === other.verdict)) return first;
  const place = `with ${placeText(other.on)}`;
  const because = other.because.endsWith(place) ? other.because : `${place} ${other.because}`;
  return {
    verdict: "unknown",
    on: other.on,
    because: `${because}, and Assay does not know which interface it chooses`,
  };
}

function speaksNone({ interfaces, isLenient, namesVersion }: AgentTraits, { speaks }: ClientProfile): Answer {
  const places = new Set(interfaces.map(({ on }) => placeText(on)));
  const offered = `your agent offers ${[...places].join(", ")}`;
  if (!speaks.length)
    return isLenient
      ? {
          verdict: "unknown",
          because: "its messages are malformed, and your agent does not reject all malformed requests as specified",
        }
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
function forecastOn(offered: OfferedInterface, traits: AgentTraits, profile: ClientProfile): PlacedAnswer {
  const { on } = offered;
  const unknown = (because: string): PlacedAnswer => ({ verdict: "unknown", on, because });
  const measured = (id: Needed["id"]): Needed => ({ id, ...known(profile, id, on) });
  const onCard = cardNeeds(offered, traits, profile).map(measured);
  const bad = onCard.find(isBad);
  if (bad) return { verdict: "fails", on, because: reason(bad) };
  if (profile.unversioned?.includes(on)) {
    const because = "it sends no A2A-Version";
    return traits.requiresVersion.includes(on)
      ? { verdict: "fails", on, because: `${because}, and your agent rejects such requests` }
      : unknown(`${because}, and the run did not show what your agent does then`);
  }
  if (traits.cardAt === "other") return unknown("the card is at an unusual path, which no client was tried with");
  const unsure = onCard.find(isUnknown);
  if (unsure) return unknown(unmeasured(unsure));
  if (traits.listsOtherVersion)
    return unknown(`it was not measured with cards that list a version other than ${newestFirst.join(", ")}`);
  // A client may take the last one, and Assay tests the first.
  if (offered.repeated) return unknown(`it was not measured with cards that list ${placeText(on)} at two addresses`);
  if (traits.hasSkillLogin && measured("login").is !== "yes")
    return unknown("it was not measured with skills that require a login");
  if (traits.login === "other")
    return unknown("it was not measured with agents that require another login than a bearer token");
  if (traits.login === "optional" && measured("login").is !== "yes")
    return unknown("it was not measured with an optional login");

  const operation = sends(traits, profile, on);
  const isStreamedElsewhere = operation === "SendMessage" && streams(profile, on);
  const read = (id: Needed["id"]): Needed => {
    const needed = measured(id);
    // A client that streams where it can may read more in a response. Unfinished tasks are measured without streaming.
    return isStreamedElsewhere && id !== "early-task" && isLess(needed)
      ? { id, is: "unknown", saw: "only in streams" }
      : needed;
  };
  const answers = (traits.answers[operation] ?? []).map((needs) => worst(needs.map(read)));
  if (!answers.length) return unknown(`it can use your card, but the run has no answer to ${operation}`);
  const lost = answers.filter(isBad);
  if (lost.length === answers.length) return { verdict: "fails", on, because: reasons(lost) };
  const events = measured("odd-events");
  if (operation === "SendStreamingMessage" && traits.splitsEvents.includes(on) && events.is !== "yes") {
    // The situation has every form at once, so a client that fails there may still read this one.
    const why = isUnknown(events) ? unmeasured(events) : reason(events);
    return unknown(`your agent writes stream events over several data lines, and ${why}`);
  }
  const broken = traits.broken.find((each) => isRead(each, operation, on));
  if (broken) return unknown(`your agent breaks ${broken.rule} in what this client reads`);
  const open = answers.find(isUnknown);
  if (open) return unknown(unmeasured(open));

  const shown = traits.also.map(read);
  // A caller who sees the question answers it, and the client has to send the answer to the same task.
  const isAsked = shown.some(({ id, is }) => id === "input-required" && is === "yes");
  const also = isAsked ? [...shown, read("conversation")] : shown;
  const less = [...lost, ...answers.filter(({ is }) => is === "altered"), ...also.filter(isLess)];
  const limits = [
    ...traits.requiredExtensions.map((uri) => `its caller must activate the extension ${uri}`),
    ...(operation === "SendMessage" && traits.broken.some(({ rule }) => rule === "SEND-011")
      ? ["your agent omits the artifacts in the response to SendMessage (SEND-011)"]
      : []),
    ...less.map(reason),
  ];
  const silent = also.filter(isUnknown).map(unmeasured);
  const because = [...new Set([...limits, ...silent])].join("; ");
  return { verdict: limits.length ? "works with limits" : silent.length ? "unknown" : "works", on, because };
}

/** Returns the operation with which the client sends an ordinary message to this agent. */
function sends({ streaming }: AgentTraits, profile: ClientProfile, on: string): SendOperation {
  return streaming && streams(profile, on) ? "SendStreamingMessage" : "SendMessage";
}

/** Returns true if the client streams where the agent can. */
const streams = ({ sends: sent }: ClientProfile, on: string): boolean =>
  sent[on]?.includes("SendStreamingMessage") ?? false;

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
    ...(isHttp && beside.some(({ on }) => on.endsWith(" GRPC")) ? (["with-grpc"] as const) : []),
    ...(offered.tenant ? (["tenant"] as const) : []),
    ...(traits.login === "bearer" ? (["login"] as const) : []),
    ...(traits.requiredExtensions.length ? (["extensions"] as const) : []),
    ...(!traits.streaming && streams(profile, offered.on) ? (["without-streaming"] as const) : []),
  ];
}

interface Known {
  readonly is: MeasuredValue;
  readonly saw?: string;
}

type Needed = Known & { readonly id: AbilityId | AnswerShape };

/** Returns the measured value of an ability, or unknown. */
function known({ abilities: measured }: ClientProfile, id: Needed["id"], on: string): Known {
  const rows = (id === "other-files" ? undefined : measured[id]) ?? [];
  // A client finds the card before it chooses an interface.
  const everywhere = id === "below-path" && rows.length === 1 ? rows[0] : undefined;
  const onCard = rows.find((row) => row.on.includes("card"));
  return rows.find((row) => row.on.includes(on)) ?? onCard ?? everywhere ?? { is: "unknown" };
}

const isBad = ({ is }: Known): boolean => is === "no" || is === "lost" || is === "unfinished";
const isUnknown = ({ is }: Known): boolean => is === "unknown";

const badness: readonly MeasuredValue[] = ["no", "lost", "unfinished", "unknown", "altered", "yes"];

/** Returns the need that decides if an answer can be read. */
const worst = (needs: readonly Needed[]): Needed =>
  needs.toSorted((a, b) => badness.indexOf(a.is) - badness.indexOf(b.is))[0]!;

/** Returns true if a need is not fully met: it is bad, or the text is altered. */
const isLess = (needed: Known): boolean => isBad(needed) || needed.is === "altered";

const isRead = ({ rule, operation, on }: AgentTraits["broken"][number], sent: SendOperation, at: string): boolean =>
  rule !== "SEND-010" && rule !== "SEND-011" && (operation === undefined || (operation === sent && on === at));

const meaning = (id: Needed["id"]): string =>
  id === "other-files" ? "files and data outside of artifacts" : abilities[id].means;

function reason({ id, is, saw }: Needed): string {
  const what = meaning(id);
  if (is === "altered") return `it changes the white space in ${what}`;
  if (is === "unfinished") return `it hands ${what} to its caller, and does not wait for the result`;
  if (is === "lost") return `it loses ${what} without an error`;
  return `it fails on ${what}${saw === undefined ? "" : ` (${saw})`}`;
}

const reasons = (needed: readonly Needed[]): string => [...new Set(needed.map(reason))].join("; ");

const unmeasured = ({ id, saw }: Needed): string =>
  `it was not measured with ${meaning(id)}${saw === undefined ? "" : ` (${saw})`}`;
