import { expect } from "vitest";
import {
  type Binding,
  type ErrorName,
  expectNormalService,
  type Plain,
  type PlainAnswer,
  plain,
  refusalIn,
  refusedAs,
  useTestbed,
} from "../../fixtures/testbed.fixture.ts";

/** Starts a test bed for the tests of one file, and sends malformed bodies to it. */
export function usePlainPosts() {
  const bed = useTestbed();
  const at = (path: string) => `${bed.url}/${path}`;

  const post = (path: string, body: string | Uint8Array, headers: Plain["headers"] = {}) =>
    plain(at(path), {
      method: "POST",
      headers: { "A2A-Version": "1.0", "Content-Type": "application/json", ...headers },
      body,
    });

  /** Posts the same text as the parameters of a send on either binding. */
  const sendBody = (binding: Binding, params: string, id = '"abc"') =>
    binding === "JSONRPC"
      ? post("spec", `{"jsonrpc":"2.0","id":${id},"method":"SendMessage","params":${params}}`)
      : post("spec/message:send", params);

  /** Expects exactly this error, and that the server keeps working. */
  const expectRefused = async (binding: Binding, answer: PlainAnswer, error: ErrorName, id: unknown = null) => {
    expect(refusalIn(binding, answer)).toEqual(refusedAs(binding, error, id));
    await expectNormalService(bed);
  };

  return { bed, at, post, sendBody, expectRefused };
}
