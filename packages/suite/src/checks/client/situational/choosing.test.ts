import { describe, expect, test } from "vitest";
import type { ClientCall } from "../../../client/client-request.ts";
import type { SituationSeen } from "../../../client/situation-check.ts";
import { looksBefore, noSilentFallback } from "./choosing.ts";

const calls = (...operations: readonly (string | undefined)[]): ClientCall[] =>
  operations.map(
    (operation) => ({ is: "call", method: "SendMessage", operation, exchange: {} }) as unknown as ClientCall,
  );
const seenOf = (seen: object) => ({ speaks: [], ...seen }) as unknown as SituationSeen;

describe("VER-016", () => {
  test("warns a client that speaks 0.3 although it was asked for 1.0", () => {
    expect(noSilentFallback.judge(seenOf({ requests: calls("SendMessage") }))).toMatchObject({ is: "breach" });
  });

  test("is not examined on a client that calls the interface of 0.3 in 1.0, which does not fall back", () => {
    expect(noSilentFallback.judge(seenOf({ requests: calls(undefined) }))).toMatchObject({ is: "not-examined" });
  });
});

describe("CAP-001", () => {
  const plain = { requests: calls("SendMessage") };

  test("holds for a client that streams only if the card declares it", () => {
    expect(looksBefore.judge(seenOf({ ...plain, inControl: calls("SendStreamingMessage") }))).toMatchObject({
      is: "holds",
    });
  });

  test("is not examined on a client that never streams", () => {
    expect(looksBefore.judge(seenOf({ ...plain, inControl: calls("SendMessage") }))).toBeUndefined();
    expect(looksBefore.judge(seenOf(plain))).toBeUndefined();
  });
});
