import { isPassing } from "../../answers/expect-error.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, holds, notExamined } from "../../define/finding.ts";
import { unauthenticatedCalls } from "../../observations/unauthenticated-calls.ts";

const guesses = 40;

export const slowsGuessing = activeCheck({
  id: "AUTH-021",
  title: "credentials cannot be guessed at full speed",
  remedy:
    "Count failed logins, and answer those who go on guessing with 429 or RESOURCE_EXHAUSTED, or later and later.",
  uses: { unauthenticatedCalls },
  rude: true,
  once: true,
  async judge({ unauthenticatedCalls: { ways } }, target) {
    const forge = ways.find((way) => way.forge)?.forge;
    if (!forge) return notExamined("credentials", "no credentials can be made up for the schemes of the card");
    const anonymous = target.as("anonymous")!;
    const calls: Call[] = [];
    while (calls.length < guesses) {
      const call = await anonymous.call("ListTasks", { pageSize: 1 }, { ...forge(), unrepeated: true });
      calls.push(call);
      // To hang up on a guessing caller is a way to slow down, too.
      if (isPassing(call) || call.reply.is === "failure") return holds();
    }
    if (isSlower(calls.slice(-10), calls.slice(0, 10))) return holds();
    const message = `${guesses} wrong credentials in a row are answered alike, without limit or delay`;
    return breach("guessing-not-slowed", message, { want: "429, RESOURCE_EXHAUSTED or a delay", at: calls.at(-1)! });
  },
});

const isSlower = (late: readonly Call[], early: readonly Call[]): boolean =>
  mean(late) > 3 * mean(early) && mean(late) > mean(early) + 100;

const mean = (calls: readonly Call[]): number =>
  calls.reduce((sum, { exchange }) => sum + exchange.timing.end, 0) / calls.length;
