import { mutant } from "../definition/divergence.ts";
import { changeAnswers } from "../mutation/http.ts";
import { answerOf, events, without } from "../mutation/json.ts";

// The catalogue of 1.0 has no rows for these; the words follow its areas, with the version in front.

export const olderMutants = [
  mutant("V03-CARD-001.no-url", "spec03", "The card has no url.", {
    card: (card) => without(card, "url"),
  }),

  mutant("V03-DATA-001.no-kind", "spec03", "A task that answers message/send has no kind.", {
    codec: answerOf("SendMessage", (answer) => without(answer, "kind")),
  }),

  mutant("V03-STREAM-004.never-final", "spec03", "The last event of a stream has final: false.", {
    codec: events((event) => (event["final"] === true ? { ...event, final: false } : event)),
  }),

  mutant("V02-CARD-001.new-name-only", "spec02", "The card is served only at /.well-known/agent-card.json.", {
    http: changeAnswers((answer, { path }) =>
      path.endsWith("/.well-known/agent.json")
        ? { status: 404, headers: { "Content-Type": "text/plain" }, body: "Not Found" }
        : answer,
    ),
  }),

  mutant("V01-SEND-001.wrapped", "spec01", "The method tasks/send wraps the task, as 1.0 does.", {
    codec: answerOf("SendMessage", (task) => ({ task })),
  }),

  mutant("V01-STREAM-001.never-final", "spec01", "The last event of a stream has final: false.", {
    codec: events((event) => (event["final"] === true ? { ...event, final: false } : event)),
  }),
];
