import { artifact, skill, status } from "../define.ts";

export const relay = skill({
  id: "relay",
  name: "Relay",
  description: "Asks another agent, as an A2A client, and returns its answer: relay <cardUrl> <text>.",
  tags: ["task", "multi-agent"],
  examples: ["relay http://127.0.0.1:4040/echo hello"],

  async *run({ argument, relay: ask, signal }) {
    const [, cardUrl, text] = /^(\S+)\s+([\s\S]+)$/.exec(argument) ?? [];
    if (!cardUrl || !text) return yield status("rejected", "[relay] Say: relay <cardUrl> <text>");
    yield status("working", `[relay] Asking ${cardUrl}`);
    try {
      yield artifact("relayed", await ask(cardUrl, text, signal), { last: true });
    } catch (error) {
      if (signal.aborted) return;
      return yield status(
        "failed",
        `[relay] ${error instanceof Error ? error.message : "The other agent did not answer."}`,
      );
    }
    yield status("completed");
  },
});
