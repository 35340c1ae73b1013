import { dialectFor } from "@assay/wire";
import { observation } from "../observation.ts";
import { concernsNobody } from "../obstacle.ts";
import type { Talk } from "../talk.ts";
import { withVersion } from "./other-version.ts";

/** Bodies at the edge of JSON-RPC, each answered once. */
interface RpcEnvelopes {
  readonly unknownMethod: Talk;
  /** method names of 0.3 (of 1.0, where that is older) and of other spellings, with parameters that no method takes */
  readonly oldMethod: Talk;
  readonly otherCase: Talk;
  readonly cutOff: Talk;
  readonly empty: Talk;
  readonly noMethod: Talk;
  readonly text: Talk;
  readonly emptyBatch: Talk;
  readonly oldVersion: Talk;
  readonly positional: Talk;
  readonly stringId: Talk;
  readonly longId: Talk;
  /** an id that is easily taken for none, in a call that gets as far as its method, and in one that does not */
  readonly zeroId: Talk;
  readonly zeroIdInOtherVersion: Talk;
}

export const rpcEnvelopes = observation<RpcEnvelopes>({
  name: "requests that are hardly JSON-RPC",
  messages: 0,
  async make(lab) {
    if (lab.on.binding !== "JSONRPC") throw concernsNobody("this is no JSON-RPC");
    // A method's name is its version's own.
    const [get, send] = (["GetTask", "SendMessage"] as const).map(
      (operation) => dialectFor("JSONRPC", lab.on.dialect)?.methodOf(operation) ?? operation,
    );
    const foreign = lab.on.dialect === "1.0" ? "message/send" : "SendMessage";
    const post = (body: string): Promise<Talk> =>
      lab.http("GetTask", {}, (request) => ({ ...request, body: Buffer.from(body) }));
    const { tenant } = lab.on;
    const params = { ...(tenant !== undefined && { tenant }), id: lab.unknownId() };
    const call = (change: object): Promise<Talk> =>
      post(JSON.stringify({ jsonrpc: "2.0", id: 7, method: get, params, ...change }));
    const [unknownMethod, oldMethod, otherCase, cutOff, empty, noMethod] = await Promise.all([
      call({ method: "NoSuchMethod", params: {} }),
      call({ method: foreign, params: {} }),
      call({ method: "sendMessage", params: {} }),
      post('{"jsonrpc": "2.0", '),
      post("{}"),
      call({ method: undefined }),
    ]);
    const [text, emptyBatch, oldVersion, positional, stringId, longId] = await Promise.all([
      post('"x"'),
      post("[]"),
      call({ jsonrpc: "1.0" }),
      call({ method: send, params: ["hello"] }),
      call({ id: "abc" }),
      call({ id: "long-".repeat(40) }),
    ]);
    const zero = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 0, method: get, params }));
    const [zeroId, zeroIdInOtherVersion] = await Promise.all([
      lab.http("GetTask", params, (request) => ({ ...request, body: zero })),
      lab.http("GetTask", params, (request) => ({ ...request, body: zero }), {
        edit: withVersion("99.0"),
        fair: false,
      }),
    ]);
    return {
      unknownMethod,
      oldMethod,
      otherCase,
      cutOff,
      empty,
      noMethod,
      text,
      emptyBatch,
      oldVersion,
      positional,
      stringId,
      longId,
      zeroId,
      zeroIdInOtherVersion,
    };
  },
});
