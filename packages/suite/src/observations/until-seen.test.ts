import { expect, test } from "vitest";
import { askedFor } from "./until-seen.ts";

/** An agent that shows it from a certain time on; each of its answers takes a while. */
async function asked(withinMs: number, shownFrom: number): Promise<{ shows: boolean; at: number }> {
  let at = 0;
  const sleep = async (ms: number): Promise<void> => {
    at += ms;
  };
  const ask = async (): Promise<number> => {
    at += 40;
    return at;
  };
  const { shows } = await askedFor({ sleep }, withinMs, ask, (time) => time >= shownFrom);
  return { shows, at };
}

test("what comes at the very end of the time is seen", async () => {
  expect(await asked(1_500, 1_500)).toMatchObject({ shows: true });
  expect(await asked(8_000, 8_000)).toMatchObject({ shows: true });
});

test("what does not come costs the time and not much more", async () => {
  const { shows, at } = await asked(1_500, 60_000);
  expect(shows).toBe(false);
  expect(at).toBeLessThan(2_000);
});
