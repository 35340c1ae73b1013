import { A2AError, type JsonObject } from "@assay/protocol";
import { minimal, secure, spec } from "../definition/divergence.ts";
import { changeAnswers } from "../mutation/http.ts";
import { answerOf, edited, inJson, without } from "../mutation/json.ts";
import { intercept } from "../mutation/operations.ts";

const isExtendedCard = (path: string): boolean => path.endsWith("/extendedAgentCard");

export const extendedCardMutants = [
  minimal(
    "XCARD-001.unknown-method",
    "GetExtendedAgentCard is an unknown method on an agent without an extended card.",
    {
      operations: intercept(["GetExtendedAgentCard"], async () => {
        throw new A2AError("MethodNotFound", "There is no such method");
      }),
    },
  ),

  spec("XCARD-002.null", "GetExtendedAgentCard returns null.", {
    codec: inJson(answerOf("GetExtendedAgentCard", () => null)),
  }),

  spec("XCARD-002.breaks-down", "GetExtendedAgentCard returns an internal error although the card declares it.", {
    operations: intercept(["GetExtendedAgentCard"], async ({ proceed }) => {
      await proceed();
      throw new A2AError("Internal", "There is no card to show");
    }),
  }),

  spec("XCARD-003.open", "GetExtendedAgentCard returns the extended card without credentials.", {
    operations: intercept(["GetExtendedAgentCard"], async ({ agent, invocation }) => ({
      answer: agent.extendedCard(invocation.baseUrl),
    })),
  }),

  spec("XCARD-003.any-token", "Returns the extended card for any token.", {
    operations: intercept(["GetExtendedAgentCard"], async ({ agent, invocation, proceed }) =>
      invocation.authorization ? { answer: agent.extendedCard(invocation.baseUrl) } : proceed(),
    ),
  }),

  spec("XCARD-005.delta", "The extended card leaves out the public skills.", {
    codec: answerOf("GetExtendedAgentCard", (card) => ({ skills: (card["skills"] as JsonObject[]).slice(-1) })),
  }),

  spec("XCARD-005.no-interfaces", "The extended card lacks the interfaces.", {
    codec: answerOf("GetExtendedAgentCard", (card) => without(card, "supportedInterfaces")),
  }),

  secure("XCARD-007.anyone", "Every authenticated caller gets the full extended card.", {
    admission: (admission) => ({
      ...admission,
      authorize: (caller, operation, agent) =>
        operation === "GetExtendedAgentCard" ? undefined : admission.authorize(caller, operation, agent),
    }),
  }),

  spec("XCARD-008.public", "The extended card is served with Cache-Control: public, max-age=3600.", {
    http: changeAnswers((answer, { path }) =>
      answer.status === 200 && isExtendedCard(path)
        ? { ...answer, headers: { ...answer.headers, "Cache-Control": "public, max-age=3600" } }
        : answer,
    ),
  }),

  spec("XCARD-009.password", "The extended card has a password in a URL.", {
    codec: answerOf("GetExtendedAgentCard", (card) =>
      edited(card, "documentationUrl", "https://assay:test-bed@internal.example.com/"),
    ),
  }),

  spec("XCARD-009.internal-url", "The extended card contains the address of an internal service.", {
    codec: answerOf("GetExtendedAgentCard", (card) =>
      edited(card, "description", "Bookings go to http://bookings.svc.internal:8080/v2 and are kept there."),
    ),
  }),

  spec(
    "XCARD-010.always-304",
    "The extended card URL returns 304 for every If-None-Match, even for an outdated ETag.",
    {
      http: changeAnswers((answer, { path, headers }) =>
        isExtendedCard(path) && headers["if-none-match"] ? { ...answer, status: 304, body: "" } : answer,
      ),
    },
  ),
];
