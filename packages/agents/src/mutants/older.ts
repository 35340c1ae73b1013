import { spec01, spec02, spec03 } from "../definition/divergence.ts";
import { changeAnswers } from "../mutation/http.ts";
import { answerOf, events, without } from "../mutation/json.ts";

// The catalogue of 1.0 has no rows for these; the words follow its areas, with the version in front.

export const olderMutants = [
  spec03("V03-CARD-001.no-url", "The card has no url.", {
    card: (card) => without(card, "url"),
  }),

  spec03("V03-DATA-001.no-kind", "A task that answers message/send has no kind.", {
    codec: answerOf("SendMessage", (answer) => without(answer, "kind")),
  }),

  spec03("V03-STREAM-004.never-final", "The last event of a stream has final: false.", {
    codec: events((event) => (event["final"] === true ? { ...event, final: false } : event)),
  }),

  spec02("V02-CARD-001.new-name-only", "The card is served only at /.well-known/agent-card.json.", {
    http: changeAnswers((answer, { path }) =>
      path.endsWith("/.well-known/agent.json")
        ? { status: 404, headers: { "Content-Type": "text/plain" }, body: "Not Found" }
        : answer,
    ),
  }),

  spec01("V01-SEND-001.wrapped", "The method tasks/send wraps the task, as 1.0 does.", {
    codec: answerOf("SendMessage", (task) => ({ task })),
  }),

  spec01("V01-STREAM-001.never-final", "The last event of a stream has final: false.", {
    codec: events((event) => (event["final"] === true ? { ...event, final: false } : event)),
  }),
];
