import { probe } from "../../check.ts";
import { isPassing } from "../../expect-error.ts";
import { broken, holds, notExamined } from "../../finding.ts";
import { strangers } from "../../observations/strangers.ts";
import type { Talk } from "../../talk.ts";

const guesses = 40;

export const slowsGuessing = probe({
  id: "AUTH-021",
  title: "credentials cannot be guessed at full speed",
  remedy:
    "Count failed logins, and answer those who go on guessing with 429 or RESOURCE_EXHAUSTED, or later and later.",
  uses: { strangers },
  rude: true,
  once: true,
  async probe({ strangers: { ways } }, lab) {
    const forge = ways.find((way) => way.forge)?.forge;
    if (!forge) return notExamined("credentials", "no credentials can be made up for the schemes of the card");
    const nobody = lab.as("anonymous")!;
    const talks: Talk[] = [];
    while (talks.length < guesses) {
      const talk = await nobody.call("ListTasks", { pageSize: 1 }, { headers: forge(), unrepeated: true });
      talks.push(talk);
      // To hang up on whoever guesses is a way to slow down, too.
      if (isPassing(talk) || talk.reply.is === "failure") return holds();
    }
    if (isSlower(talks.slice(-10), talks.slice(0, 10))) return holds();
    // Where the limit lies is not said: one that we did not reach is no fault that we have seen.
    const message = `${guesses} wrong credentials in a row are answered alike, without limit or delay`;
    return lab.strict
      ? broken(message, { want: "429, RESOURCE_EXHAUSTED or a delay", at: talks.at(-1)! })
      : holds(message);
  },
});

const isSlower = (late: readonly Talk[], early: readonly Talk[]): boolean =>
  mean(late) > 3 * mean(early) && mean(late) > mean(early) + 100;

const mean = (talks: readonly Talk[]): number =>
  talks.reduce((sum, { exchange }) => sum + exchange.timing.end, 0) / talks.length;
