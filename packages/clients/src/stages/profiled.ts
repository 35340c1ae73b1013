import { type AgentDefinition, artifact, intercept, status } from "@assay/agents/making";
import { A2AError, type JsonObject } from "@assay/protocol";
import type { SpokenInterface } from "@assay/suite";
import type { Stage } from "../stage.ts";
import { agentOf, answerOf, by, doing, making, reasonOf, saying, telling } from "./agents.ts";
import { cardOnlyAt } from "./cards.ts";

/** Below the 4 MiB that gRPC libraries accept by default. */
const largeBytes = 3_000_000;

/** A 1.0 card always lists its interfaces. */
const firstUrl = (card: JsonObject): string => (card["supportedInterfaces"] as { readonly url: string }[])[0]!.url;

const rootPath = "root";

/** An agent without a card: some clients drop the last segment of an address, and look there. */
const atRoot = (offered: SpokenInterface): AgentDefinition => ({
  ...agentOf(offered, saying("this is another agent")),
  path: rootPath,
  layers: cardOnlyAt("no-card.json"),
});

/** Situations that only profiles use. */
export const profiledStages = {
  "status-text": by(
    doing(async function* () {
      yield status("working");
      yield status("completed", answerOf("status-text"));
    }),
  ),
  "early-task": by(
    doing(async function* ({ clock, signal }) {
      yield status("working");
      await clock.sleep(4_000, signal);
      yield artifact("word", answerOf("early-task"), { last: true });
      yield status("completed");
    }),
    {
      // Without streaming, so that the client sees the task only in the response.
      streaming: false,
      layers: {
        operations: intercept(["SendMessage"], ({ request, proceed }) =>
          proceed({ ...request, configuration: { ...request.configuration, returnImmediately: true } }),
        ),
      },
    },
  ),
  large: by(making(`${"0123456789".repeat(largeBytes / 10)} ${answerOf("large")}`)),
  refused: by(making("this is never made"), {
    layers: {
      operations: intercept(["SendMessage", "SendStreamingMessage"], async () => {
        throw new A2AError("InvalidParams", reasonOf("refused"));
      }),
    },
  }),
  appended: by(
    doing(async function* () {
      const [first, second, third] = answerOf("appended").match(/.{1,14}/g)!;
      yield status("working");
      yield artifact("word", first!);
      yield artifact("word", second!, { append: true });
      yield artifact("word", third!, { append: true, last: true });
      yield status("completed");
    }),
  ),
  "open-artifact": by(
    doing(async function* () {
      yield status("working");
      yield artifact("word", answerOf("open-artifact"));
      yield status("completed");
    }),
  ),
  "below-path": {
    ...telling("below-path"),
    others: (offered) => [atRoot(offered)],
    rootPath,
  },
  "listed-older": telling("listed-older", { dialects: ["1.0", "0.3"] }),
  "both-versions": telling("both-versions", ({ binding }) => ({
    dialects: ["1.0", "0.3"],
    layers: {
      // The members of 0.3 name the same address, as cards of SDKs with a layer for older clients do.
      card: (card) => ({
        ...card,
        url: firstUrl(card),
        preferredTransport: binding,
        protocolVersion: "0.3.0",
      }),
    },
  })),
  "with-other-http": telling("with-other-http", ({ binding }) => ({
    bindings: binding === "JSONRPC" ? ["JSONRPC", "HTTP+JSON"] : ["HTTP+JSON", "JSONRPC"],
  })),
  "with-grpc": telling("with-grpc", ({ binding }) => ({ bindings: [binding, "GRPC"] })),
} as const satisfies Record<string, Stage>;
