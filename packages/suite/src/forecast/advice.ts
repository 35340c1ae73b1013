import type { ClientForecast, ForecastAdvice } from "../report/forecast-document.ts";
import type { AnswerNeeds, AnswerShape, Answers } from "./answers.ts";
import { forecastOf, placeText } from "./forecast.ts";
import type { ClientProfile } from "./profile.ts";
import type { AgentTraits, OfferedInterface } from "./traits.ts";

/** Returns the changes that let more clients work, the most useful first. */
export function adviceOf(traits: AgentTraits, profiles: readonly ClientProfile[]): readonly ForecastAdvice[] {
  const now = forecastOf(traits, profiles);
  return changesTo(traits)
    .map(({ change, to }) => ({ change, gains: gained(now, forecastOf(to, profiles)) }))
    .filter(({ gains }) => gains > 0)
    .toSorted((a, b) => b.gains - a.gains);
}

const isReached = ({ verdict }: ClientForecast): boolean => verdict === "works" || verdict === "works with limits";

/**
 * Returns how many clients a change gains, less those that it loses. A client with an unknown forecast does not count,
 * because it may work already.
 */
const gained = (before: readonly ClientForecast[], after: readonly ClientForecast[]): number =>
  after.reduce((gains, each, index) => {
    const now = before[index]!;
    if (now.verdict === "fails" && isReached(each)) return gains + 1;
    return isReached(now) && !isReached(each) ? gains - 1 : gains;
  }, 0);

/** Interfaces that are worth adding, because most clients speak one of them. */
const common = ["1.0 JSONRPC", "0.3 JSONRPC"];

/** Most clients of 0.3 do not read supportedInterfaces. */
const inOlderForm = ", also as url, preferredTransport and protocolVersion";

function changesTo(traits: AgentTraits): readonly { readonly change: string; readonly to: AgentTraits }[] {
  const { interfaces, answers } = traits;
  const offers = (on: string): boolean => interfaces.some((each) => each.on === on);
  const added = (on: string): OfferedInterface => ({ on, elsewhere: false, tenant: false, repeated: false });
  const send = answers.SendMessage ?? [];
  return [
    ...common
      .filter((on) => !offers(on))
      .map((on) => ({
        change: `Serve ${placeText(on)}, and declare it on the card${on.startsWith("0.3") ? inOlderForm : ""}`,
        to: {
          ...traits,
          interfaces: [...interfaces, added(on)],
          hasOlderForm: traits.hasOlderForm || on.startsWith("0.3"),
        },
      })),
    ...(interfaces.some(({ on }) => on.endsWith(" GRPC")) && interfaces.some(({ on }) => !on.endsWith(" GRPC"))
      ? [
          {
            change: "List gRPC on a card of its own",
            to: { ...traits, interfaces: interfaces.filter(({ on }) => !on.endsWith(" GRPC")) },
          },
        ]
      : []),
    ...(interfaces.some(({ elsewhere }) => elsewhere)
      ? [
          {
            change: "Use the scheme, host and port of the card in the addresses of the interfaces",
            to: { ...traits, interfaces: interfaces.map((each) => ({ ...each, elsewhere: false })) },
          },
        ]
      : []),
    ...(!traits.hasOlderForm && interfaces.some(({ on }) => on.startsWith("0.3"))
      ? [
          {
            change: "Add url, preferredTransport and protocolVersion of 0.3 to the card, besides supportedInterfaces",
            to: { ...traits, hasOlderForm: true },
          },
        ]
      : []),
    ...(hasShape(answers, "open-artifact")
      ? [
          {
            change: "Set lastChunk to true on the last event of each artifact",
            to: { ...traits, answers: mapped(answers, "open-artifact") },
          },
        ]
      : []),
    ...(traits.cardAt === "agent-card.json"
      ? []
      : [
          {
            change: "Serve the card at /.well-known/agent-card.json",
            to: { ...traits, cardAt: "agent-card.json" as const },
          },
        ]),
    ...(send.some((needs) => needs.includes("early-task"))
      ? [
          {
            change: "Return the response to SendMessage when the task has ended",
            to: { ...traits, answers: { ...answers, SendMessage: swapped(send, "early-task") } },
          },
        ]
      : []),
    ...(hasShape(answers, "status-text")
      ? [
          {
            change: "Put the answer into an artifact instead of the status message",
            to: { ...traits, answers: mapped(answers, "status-text") },
          },
        ]
      : []),
    ...(hasShape(answers, "chunks")
      ? [
          {
            change: "Send an artifact as a whole instead of in chunks",
            to: { ...traits, answers: mapped(answers, "chunks") },
          },
        ]
      : []),
  ];
}

type Replies = readonly AnswerNeeds[];

const hasShape = (answers: Answers, shape: AnswerShape): boolean =>
  Object.values(answers).some((replies) => replies.some((needs) => needs.includes(shape)));

const swapped = (replies: Replies, from: AnswerShape): Replies =>
  replies.map((needs) => needs.map((shape) => (shape === from ? "task" : shape)));

const mapped = (answers: Answers, from: AnswerShape): Answers =>
  Object.fromEntries(Object.entries(answers).map(([operation, replies]) => [operation, swapped(replies, from)]));
