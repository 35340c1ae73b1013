import type { JsonObject, JsonValue } from "@assay/protocol";
import { isInternal, matches } from "../../answers/expect-error.ts";
import { describeReply } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { isSameError, refusalOfUnknownTask, sendToUnknownTask } from "../../observations/send-to-unknown-task.ts";
import { unknownTask } from "../../observations/unknown-task.ts";

const breaksDown = (call: Call, what: string): Finding | undefined =>
  isInternal(call) || call.reply.is === "failure" || call.exchange.http.response?.status === 500
    ? crashed(`${what} makes the agent break down`, {
        saw: describeReply(call),
        want: "an answer, or a refusal",
        at: call,
      })
    : undefined;

export const ignoresUnknownMembers = activeCheck({
  id: "DATA-014",
  title: "unknown members are ignored",
  remedy:
    "Ignore members that you do not know, in params, message, parts and configuration alike, instead of refusing the request.",
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const plain = refusalOfUnknownTask(asked);
    if ("instead" in plain) return plain.instead;
    const xUnknown = 1;
    const call = await sendToUnknownTask(
      target,
      { xUnknown, parts: target.message("task").parts.map((part) => ({ ...part, xUnknown })) as unknown as JsonValue },
      { xUnknown, configuration: { xUnknown } },
    );
    if (isSameError(call, plain.control)) return holds();
    return (
      breaksDown(call, "an unknown member") ??
      broken("a request with unknown members is refused for them", {
        saw: describeReply(call),
        want: `the answer to the same request without them: ${describeReply(plain.control)}`,
        at: call,
      })
    );
  },
});

/** What may stand in `data`, besides an object. */
const values: readonly (readonly [what: string, value: JsonValue])[] = [
  ["an array", [1, "two", { three: 3 }]],
  ["a string", "text"],
  ["a number", 4.5],
  ["true", true],
  ["null", null],
];

export const readsAnyData = activeCheck({
  id: "DATA-022",
  title: "data can be any JSON value",
  remedy:
    "Type data of a Part as any JSON value (google.protobuf.Value): arrays, strings, numbers, booleans and null too.",
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const plain = refusalOfUnknownTask(asked);
    if ("instead" in plain) return plain.instead;
    const withData = (data: JsonValue): Promise<Call> => sendToUnknownTask(target, { parts: [{ data }] });
    const object = await withData({ key: "value" });
    if (!isSameError(object, plain.control))
      return breaksDown(object, "a data part") ?? notApplicable("the agent takes no data parts");
    for (const [what, value] of values) {
      const call = await withData(value);
      if (isSameError(call, plain.control) || matches(call, "ContentTypeNotSupported")) continue;
      const details = { saw: describeReply(call), want: "to be read like a data part that holds an object", at: call };
      const message = `a data part that holds ${what} is refused, one with an object is not`;
      return (
        breaksDown(call, `${what} as data`) ?? breach(value === null ? "null-data-refused" : "broken", message, details)
      );
    }
    return holds();
  },
});

/** Reads a message that is written in an unusual way: taken or refused, but not stumbled over. */
const survives = async (target: Target, what: string, message: JsonObject): Promise<Finding | undefined> =>
  breaksDown(await sendToUnknownTask(target, message), what);

export const survivesProtoJson = activeCheck({
  id: "DATA-033",
  title: "what ProtoJSON lets a client write does no harm",
  remedy:
    "Treat null as absent, and take or refuse numbers of enums; answer with a validation error, never with an internal one.",
  uses: { unknownTask },
  async judge({ unknownTask: asked }, target) {
    const plain = refusalOfUnknownTask(asked);
    if ("instead" in plain) return plain.instead;
    return (
      (await survives(target, "a member that is null", { contextId: null, metadata: null, extensions: null })) ??
      (await survives(target, "null inside metadata", { metadata: { note: null } })) ??
      (await survives(target, "a role given by its number", { role: 1 })) ??
      holds()
    );
  },
});

export const survivesOldForms = activeCheck({
  id: "LEG-007",
  title: "a message with the kind of 0.3 does no harm",
  remedy: "Ignore kind in requests of 1.0, or refuse it with a validation error, and answer in the forms of 1.0.",
  uses: { unknownTask },
  // Over gRPC there is no place for it.
  bindings: ["JSONRPC", "HTTP+JSON"],
  async judge({ unknownTask: asked }, target) {
    const plain = refusalOfUnknownTask(asked);
    if ("instead" in plain) return plain.instead;
    return (await survives(target, "a message with kind", { kind: "message" })) ?? holds();
  },
});
