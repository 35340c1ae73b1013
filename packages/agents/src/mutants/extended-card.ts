import { A2AError, type JsonObject } from "@assay/protocol";
import { mutant } from "../definition/divergence.ts";
import { changeAnswers } from "../mutation/http.ts";
import { answerOf, edited, inJson, without } from "../mutation/json.ts";
import { intercept } from "../mutation/operations.ts";

const isExtendedCard = (path: string): boolean => path.endsWith("/extendedAgentCard");

export const extendedCardMutants = [
  mutant(
    "XCARD-001.unknown-method",
    "minimal",
    "GetExtendedAgentCard is an unknown method on an agent without an extended card.",
    {
      operations: intercept(["GetExtendedAgentCard"], async () => {
        throw new A2AError("MethodNotFound", "There is no such method");
      }),
    },
  ),

  mutant("XCARD-002.null", "spec", "GetExtendedAgentCard returns null.", {
    codec: inJson(answerOf("GetExtendedAgentCard", () => null)),
  }),

  mutant(
    "XCARD-002.breaks-down",
    "spec",
    "GetExtendedAgentCard returns an internal error although the card declares it.",
    {
      operations: intercept(["GetExtendedAgentCard"], async ({ proceed }) => {
        await proceed();
        throw new A2AError("Internal", "There is no card to show");
      }),
    },
  ),

  mutant("XCARD-003.open", "spec", "GetExtendedAgentCard returns the extended card without credentials.", {
    operations: intercept(["GetExtendedAgentCard"], async ({ host, invocation }) => ({
      answer: host.extendedCard(invocation.baseUrl),
    })),
  }),

  mutant("XCARD-003.any-token", "spec", "Shows its extended card for any token.", {
    operations: intercept(["GetExtendedAgentCard"], async ({ host, invocation, proceed }) =>
      invocation.authorization ? { answer: host.extendedCard(invocation.baseUrl) } : proceed(),
    ),
  }),

  mutant("XCARD-005.delta", "spec", "The extended card has only the additional skills.", {
    codec: answerOf("GetExtendedAgentCard", (card) => ({ skills: (card["skills"] as JsonObject[]).slice(-1) })),
  }),

  mutant("XCARD-005.no-interfaces", "spec", "Leaves out of its extended card where it is to be reached.", {
    codec: answerOf("GetExtendedAgentCard", (card) => without(card, "supportedInterfaces")),
  }),

  mutant("XCARD-007.anyone", "secure", "Every authenticated caller gets the full extended card.", {
    admission: (admission) => ({
      ...admission,
      authorize: (caller, operation, agent) =>
        operation === "GetExtendedAgentCard" ? undefined : admission.authorize(caller, operation, agent),
    }),
  }),

  mutant("XCARD-008.public", "spec", "The extended card is served with Cache-Control: public, max-age=3600.", {
    http: changeAnswers((answer, { path }) =>
      answer.status === 200 && isExtendedCard(path)
        ? { ...answer, headers: { ...answer.headers, "Cache-Control": "public, max-age=3600" } }
        : answer,
    ),
  }),

  mutant("XCARD-009.password", "spec", "The extended card has a password in a URL.", {
    codec: answerOf("GetExtendedAgentCard", (card) =>
      edited(card, "documentationUrl", "https://assay:test-bed@internal.example.com/"),
    ),
  }),

  mutant("XCARD-009.internal-url", "spec", "Its extended card tells the address of a service within.", {
    codec: answerOf("GetExtendedAgentCard", (card) =>
      edited(card, "description", "Bookings go to http://bookings.svc.internal:8080/v2 and are kept there."),
    ),
  }),

  mutant(
    "XCARD-010.always-304",
    "spec",
    "The extended card URL returns 304 for every If-None-Match, also for an outdated ETag.",
    {
      http: changeAnswers((answer, { path, headers }) =>
        isExtendedCard(path) && headers["if-none-match"] ? { ...answer, status: 304, body: "" } : answer,
      ),
    },
  ),
];
