import { expect, test } from "vitest";
import { wordsOf } from "../call.fixture.ts";
import { replied } from "../reply.fixture.ts";
import { invalidParams } from "./refusals.ts";

const refused = (code: number) =>
  replied("SendMessage", { is: "error", error: { code, http: 200, message: "no", details: [] } });

test.each([
  [-32602, ["holds"]],
  [-32600, ["invalid-request-code"]],
  // An agent that offers only streams may say so before it reads the parameters (AMB-34).
  [-32004, ["related-error"]],
  [-32005, ["broken"]],
])("a message that is a string, refused with %d", async (code, verdict) => {
  const inputs = Object.assign(
    [{ what: "SendMessage with a message that is a string", field: "message", call: refused(code) }],
    { unsent: undefined },
  );
  const seen = { invalidInput: inputs, rpcEnvelopes: { positional: undefined, withoutParams: [] } };
  expect(wordsOf(await invalidParams.judge(seen as never, undefined as never))).toEqual(verdict);
});

test("SendMessage without params may be refused as unsupported, too", async () => {
  const inputs = Object.assign([], { unsent: undefined });
  const withoutParams = [{ method: "SendMessage", call: refused(-32004) }];
  const seen = { invalidInput: inputs, rpcEnvelopes: { positional: refused(-32004), withoutParams } };
  const verdicts = wordsOf(await invalidParams.judge(seen as never, undefined as never));
  expect(verdicts).toEqual(["related-error", "related-error"]);
});
