import type { JsonObject } from "@assay/protocol";
import { reanswer } from "../bending/http.ts";
import { answerOf } from "../bending/json.ts";
import { instead } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

export const extendedCardMutants = [
  mutant("XCARD-003.open", "spec", "Shows its extended card to everybody.", {
    operations: instead(["GetExtendedAgentCard"], async ({ host, invocation }) => ({
      answer: host.extendedCard(invocation.baseUrl),
    })),
  }),

  mutant("XCARD-005.delta", "spec", "Its extended card holds nothing but the skills that the public card lacks.", {
    codec: answerOf("GetExtendedAgentCard", (card) => ({ skills: (card["skills"] as JsonObject[]).slice(-1) })),
  }),

  mutant("XCARD-008.public", "spec", "Lets every cache on the way keep its extended card for an hour.", {
    http: reanswer((answer, { path }) =>
      answer.status === 200 && path.endsWith("/extendedAgentCard")
        ? { ...answer, headers: { ...answer.headers, "Cache-Control": "public, max-age=3600" } }
        : answer,
    ),
  }),
];
