import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import type { Target } from "../../define/target.ts";
import { staysCanceled } from "./cancelling.ts";

const got = (state: string, ...said: string[]): Call => {
  const history = said.map((text, index) => ({ messageId: `m${index}`, role: "ROLE_USER", parts: [{ text }] }));
  const json = { id: "t", contextId: "c", status: { state: `TASK_STATE_${state}` }, history };
  return { operation: "GetTask", reply: { is: "result", json }, said: { is: "result", json } } as unknown as Call;
};

const judged = async (later: Call) => {
  const settled = got("CANCELED", "slow 2");
  const seen = { canceledTaskLater: { cancel: settled, settled, later } };
  return [await staysCanceled.judge(seen as never, {} as Target)].flat()[0]?.is;
};

test("a canceled task that completes later is a breach", async () =>
  expect(await judged(got("COMPLETED", "slow 2"))).toBe("breach"));

test("a canceled task that a message of another check opened again shows nothing", async () =>
  expect(await judged(got("COMPLETED", "slow 2", "hello"))).toBe("not-examined"));
