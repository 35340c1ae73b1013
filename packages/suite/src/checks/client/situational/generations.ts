import { asObject, brief } from "../../../answers/loose-json.ts";
import { type ClientCall, callsOf } from "../../../client/client-request.ts";
import { isSend } from "../../../client/request-fields.ts";
import { situationCheck } from "../../../client/situation-check.ts";
import { broken, holds } from "../../../define/finding.ts";

const isRead = ({ operation }: ClientCall): boolean => operation === "GetTask" || operation === "SubscribeToTask";

/** Returns the generation that a call names: `currentGeneration` or `ifGenerationMatch`. */
const generationIn = ({ params }: ClientCall): unknown =>
  params?.["currentGeneration"] ?? asObject(params?.["configuration"])?.["ifGenerationMatch"];

const usesGenerations = (call: ClientCall): boolean => generationIn(call) !== undefined;

export const refetchesAfterGap = situationCheck("GEN-020", {
  in: ["generation-gap"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    const streamed = calls.findIndex(isSend);
    if (streamed < 0) return undefined;
    const read = calls.slice(streamed + 1).find(isRead);
    if (read) return holds(undefined, read.exchange);
    // A client that ignores generations does not see the gap, and interoperates correctly (3.2.7).
    if (!callsOf(seen.inControl ?? []).some(usesGenerations)) return undefined;
    return broken("the client does not fetch the task after a gap in the generations", {
      saw: "no GetTask after the stream",
      want: "GetTask",
      at: calls[streamed]!.exchange,
    });
  },
});

const isMismatch = ({ reply }: ClientCall): boolean =>
  reply.is === "error" && (reply.error.reason === "TASK_GENERATION_MISMATCH" || reply.error.code === -32010);

export const refetchesAfterMismatch = situationCheck("GEN-021", {
  in: ["generation-mismatch"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    const rejected = calls.findIndex(isMismatch);
    // Only a client that sends ifGenerationMatch gets the error.
    if (rejected < 0) return undefined;
    const next = calls.slice(rejected + 1).find((call) => isRead(call) || isSend(call));
    if (!next) return holds("the client gives up after the error", calls[rejected]!.exchange);
    if (isRead(next)) return holds(undefined, next.exchange);
    return broken("the client sends the message again without GetTask after a generation mismatch", {
      saw: "SendMessage after the error",
      want: "GetTask before the next message",
      at: [calls[rejected]!.exchange, next.exchange],
    });
  },
});

export const stopsCounting = situationCheck("GEN-022", {
  in: ["generation-zero", "generation-repeated"],
  judge(seen) {
    const calls = callsOf(seen.requests);
    const used = calls.find(usesGenerations);
    if (used)
      return broken("the client uses the generation of an agent that does not count", {
        saw: `generation ${brief(generationIn(used))}`,
        want: "neither currentGeneration nor ifGenerationMatch",
        at: used.exchange,
      });
    // A client that never uses generations shows nothing here.
    if (!callsOf(seen.inControl ?? []).some(usesGenerations)) return undefined;
    return holds(
      undefined,
      calls.slice(0, 4).map(({ exchange }) => exchange),
    );
  },
});
