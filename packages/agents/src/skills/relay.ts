import { artifact, type Skill, skill, status } from "../definition/skill.ts";

/**
 * Each link of a chain costs a task, a connection and the rest of the text; the text shows the number of
 * links.
 */
export const relayWith = (mostLinks: number): Skill =>
  skill("relay", {
    name: "Relay",
    description: "Asks another agent, as an A2A client, and returns its answer: relay <cardUrl> <text>.",
    tags: ["task", "multi-agent"],
    examples: ["relay http://127.0.0.1:4040/echo hello"],

    async *run({ argument, relay: ask, signal }) {
      const asked = readRelay(argument);
      if (!asked) return yield status("rejected", "[relay] Say: relay <cardUrl> <text>");
      const { cardUrl, text } = asked;
      if (isTooLong(text, mostLinks)) {
        return yield status("rejected", `[relay] A relay may ask a relay, but no more than ${mostLinks} in a row.`);
      }
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

export const relay: Skill = relayWith(4);

function readRelay(argument: string): { cardUrl: string; text: string } | undefined {
  const [, cardUrl, text] = /^(\S+)\s+([\s\S]+)$/.exec(argument) ?? [];
  return cardUrl && text ? { cardUrl, text } : undefined;
}

/** Returns true if relaying the text would exceed the remaining links. */
function isTooLong(text: string, mostLinks: number): boolean {
  let rest: string | undefined = text;
  for (let links = 1; links < mostLinks; links++) {
    const inner: string | undefined = /^\s*relay\s+(\S[\s\S]*)$/i.exec(rest)?.[1];
    rest = inner === undefined ? undefined : readRelay(inner)?.text;
    if (rest === undefined) return false;
  }
  return /^\s*relay\s/i.test(rest);
}
