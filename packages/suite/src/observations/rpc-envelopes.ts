import type { UnaryOperation } from "@assay/protocol";
import { dialectFor } from "@assay/wire";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import type { How } from "../define/target.ts";
import { withVersion } from "./other-version.ts";
import { allOf, ifSent, sentCalls } from "./sent-calls.ts";
import { paramsFor } from "./unknown-task.ts";

/** Malformed JSON-RPC bodies and their responses. */
interface RpcEnvelopes {
  readonly unknownMethod: Call;
  /** method names of 0.3 (or of 1.0) and other spellings, with parameters that no method accepts */
  readonly oldMethod: Call | undefined;
  readonly otherCase: Call | undefined;
  readonly cutOff: Call;
  readonly empty: Call;
  readonly noMethod: Call;
  readonly numberAsMethod: Call;
  readonly text: Call;
  readonly emptyBatch: Call;
  readonly oldVersion: Call;
  readonly positional: Call | undefined;
  /** methods that require params, called without any; empty if params must name a tenant */
  readonly withoutParams: readonly { readonly method: string; readonly call: Call }[];
  readonly stringId: Call;
  readonly longId: Call;
  /** a fractional number, which JSON-RPC discourages but allows */
  readonly fractionalId: Call;
  /** the id 0, which looks like no id: in a call that reaches its method, and in a call that does not */
  readonly zeroId: Call;
  readonly zeroIdInOtherVersion: Call;
}

export const rpcEnvelopes = observation<RpcEnvelopes>("malformed JSON-RPC requests", {
  async make(target) {
    if (target.on.binding !== "JSONRPC") throw doesNotApply("this is not JSON-RPC");
    // Every version has its own method names.
    const methodOf = (operation: UnaryOperation): string =>
      dialectFor("JSONRPC", target.on.dialect)?.methodOf(operation) ?? operation;
    const [get, send] = [methodOf("GetTask"), methodOf("SendMessage")];
    const foreign = target.on.dialect === "1.0" ? "message/send" : "SendMessage";
    const post = (body: string, how: How = {}, operation: UnaryOperation = "GetTask"): Promise<Call> => {
      const plain = operation === "GetTask" ? {} : paramsFor(target, operation);
      return target.http(operation, plain, (request) => ({ ...request, body: Buffer.from(body) }), how);
    };
    const { tenant } = target.on;
    const params = { ...(tenant !== undefined && { tenant }), id: target.unknownId() };
    const callWith = async (change: object, how?: How, operation?: UnaryOperation): Promise<Call> =>
      post(JSON.stringify({ jsonrpc: "2.0", id: 7, method: get, params, ...change }), how, operation);
    const sendWith = (change: object, operation?: UnaryOperation): Promise<Call | undefined> =>
      ifSent(callWith(change, { refusable: true }, operation));
    const bodies = await allOf({
      unknownMethod: callWith({ method: "NoSuchMethod", params: {} }),
      oldMethod: sendWith({ method: foreign, params: {} }),
      otherCase: sendWith({ method: "sendMessage", params: {} }),
      cutOff: post('{"jsonrpc": "2.0", '),
      empty: post("{}"),
      noMethod: callWith({ method: undefined }),
      numberAsMethod: callWith({ method: 5 }),
    });
    const others = await allOf({
      text: post('"x"'),
      emptyBatch: post("[]"),
      oldVersion: callWith({ jsonrpc: "1.0" }),
      positional: sendWith({ method: send, params: ["hello"] }, "SendMessage"),
      stringId: callWith({ id: "abc" }),
      longId: callWith({ id: "long-".repeat(40) }),
    });
    const fractionalId = await callWith({ id: 4.5 });
    const needy = tenant === undefined ? (["GetTask", "CancelTask", "SendMessage"] as const) : [];
    const withoutParams = await sentCalls(
      needy.map(async (operation) => {
        const method = methodOf(operation);
        const how = operation === "SendMessage" ? ({ refusable: true } as const) : {};
        return { method, call: await callWith({ method, params: undefined }, how, operation) };
      }),
    );
    const zero = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 0, method: get, params }));
    const post0 = (how?: How): Promise<Call> =>
      target.http("GetTask", params, (request) => ({ ...request, body: zero }), how);
    const zeros = await allOf({
      zeroId: post0(),
      zeroIdInOtherVersion: post0({ edit: withVersion("99.0"), fair: false }),
    });
    return { ...bodies, ...others, fractionalId, withoutParams, ...zeros };
  },
});
