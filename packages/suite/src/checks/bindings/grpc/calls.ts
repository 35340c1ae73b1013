import { isNamed } from "../../../answers/error-names.ts";
import { isInternal, wanted } from "../../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, isEnded, looseEvent, resultOf, taskIn } from "../../../answers/reading.ts";
import { isUnknown } from "../../../answers/served.ts";
import { assertReadable } from "../../../answers/unreadable-events.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck, passiveCheck } from "../../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../../define/finding.ts";
import { messageWithExtensions } from "../../../observations/adorned-messages.ts";
import { firstContact } from "../../../observations/first-contact.ts";
import { noTaskSent } from "../../../observations/no-task.ts";
import { looksAtNoVersion, otherVersion, withVersion } from "../../../observations/other-version.ts";
import { sentCall } from "../../../observations/sent-calls.ts";
import { sentMessage } from "../../../observations/sent-message.ts";
import { taskStream } from "../../../observations/task-stream.ts";
import { everyOperation, unknownTask } from "../../../observations/unknown-task.ts";
import { echoedIn } from "../../../shapes/active-extensions.ts";
import { expectNamed, isForbidden } from "../../errors/expect.ts";
import { headerIn } from "../bodies.ts";

const isGrpc = ({ on }: Call): boolean => on.binding === "GRPC";

/** Returns the bytes of each message, and the decoded message. */
function messagesIn(call: Call): { readonly bytes: Uint8Array; readonly json: unknown }[] {
  const { reply, exchange } = call;
  const bytes = exchange.http.grpc?.messages.map((message) => message.bytes) ?? [];
  const read = reply.is === "stream" ? reply.events : [reply];
  return bytes.map((each, index) => {
    const frame = read[index];
    return { bytes: each, json: frame?.is === "result" ? frame.json : undefined };
  });
}

/** Members that a response of each operation must have. */
const essential: Partial<Record<NonNullable<Call["operation"]>, readonly string[]>> = {
  SendMessage: ["task", "message"],
  SendStreamingMessage: ["task", "message", "statusUpdate", "artifactUpdate"],
  SubscribeToTask: ["task", "message", "statusUpdate", "artifactUpdate"],
  GetTask: ["id"],
  CancelTask: ["id"],
};

const hasOneOf = (json: unknown, members: readonly string[]): boolean =>
  members.some((member) => asObject(json)?.[member] !== undefined && asObject(json)?.[member] !== "");

const hex = (bytes: Uint8Array): string =>
  `${bytes.length} bytes: ${Buffer.from(bytes.subarray(0, 24)).toString("hex")}`;

export const fieldNumbers = passiveCheck("GRPC-004", {
  shownBy: [sentMessage],
  judge(call) {
    const members = call.operation && essential[call.operation];
    if (!isGrpc(call) || !members) return undefined;
    return messagesIn(call).flatMap(({ bytes, json }): Finding[] => {
      const details = { saw: hex(bytes), want: `a message with ${members.join(" or ")}` };
      if (json === undefined) return [broken("a message does not decode as its proto type", details)];
      // GRPC-008 and GRPC-009 judge an empty message.
      if (bytes.length === 0) return [];
      return [
        hasOneOf(json, members) ? holds() : broken("a message has fields, but none of the required ones", details),
      ];
    });
  },
});

export const sendPayload = passiveCheck("GRPC-009", {
  shownBy: [sentMessage],
  judge(call) {
    if (!isGrpc(call) || call.operation !== "SendMessage") return undefined;
    return messagesIn(call).flatMap(({ bytes, json }): Finding[] => {
      if (json === undefined) return [];
      if (hasOneOf(json, ["task", "message"])) return [holds()];
      return [broken("SendMessageResponse has neither task nor message", { saw: hex(bytes), want: "task or message" })];
    });
  },
});

export const streamsEndWithOk = passiveCheck("GRPC-008", {
  shownBy: [taskStream],
  judge(call) {
    const { reply, exchange } = call;
    if (!isGrpc(call) || !call.streamed || reply.is !== "stream") return undefined;
    const members = essential.SendStreamingMessage!;
    const findings = messagesIn(call).map(({ bytes, json }): Finding => {
      if (json === undefined || hasOneOf(json, members)) return holds();
      return broken("a message of a stream is empty", { saw: hex(bytes), want: members.join(", ") });
    });
    // A stream that Assay closed, or that was cut off, has no ending to judge.
    if (exchange.failure) return findings;
    const frames = reply.events.filter((frame) => frame.is === "result");
    const last = frames.map(looseEvent).at(-1);
    const isOver = last && (last.is === "message" || isEnded(last.state));
    if (!isOver) return findings;
    const { response } = exchange.http;
    const status =
      headerIn(response?.trailers ?? [], "grpc-status") ?? headerIn(response?.headers ?? [], "grpc-status");
    if (status === "0") return [...findings, holds()];
    const details = { saw: status === undefined ? "no grpc-status" : `grpc-status ${status}`, want: "grpc-status 0" };
    return [
      ...findings,
      status === undefined
        ? broken("a stream ends without grpc-status in its trailers", details)
        : broken("a stream does not end with status OK after the end of its task", details),
    ];
  },
});

export const statusAndMessage = passiveCheck("GRPC-013", {
  judge(call) {
    const error = isGrpc(call) ? errorOf(call) : undefined;
    if (!error?.grpc) return undefined;
    const details = answerOf(call, "a gRPC status and a message");
    if (error.grpc.status === undefined) return broken("a call ends with a number that is not a gRPC status", details);
    // Clients show the message, not the details.
    const { headers = [], trailers = [] } = call.exchange.http.response ?? {};
    const message = headerIn(trailers, "grpc-message") ?? headerIn(headers, "grpc-message") ?? "";
    if (message.trim() === "") return broken("a failed call has no grpc-message", details);
    return holds();
  },
});

export const versionsAreValidated = activeCheck("GRPC-006", {
  uses: { firstContact, otherVersion },
  async judge({ otherVersion: asked }, target) {
    if (looksAtNoVersion(asked)) return notApplicable("the interface ignores the version (VER-005)");
    const cases = [
      ["0.1", "a call in version 0.1"],
      [undefined, "a call without a2a-version"],
    ] as const;
    return await Promise.all(
      cases.map(async ([version, what]): Promise<Finding> => {
        const call = await target.call(
          "GetTask",
          { id: target.unknownId() },
          { edit: withVersion(version), fair: false },
        );
        const error = errorOf(call);
        if (error && error.grpc?.status !== "NOT_FOUND") return holds();
        return broken(`${what} succeeds`, answerOf(call, "VersionNotSupportedError"));
      }),
    );
  },
});

export const streamErrorIsStatus = activeCheck("GRPC-017", {
  uses: { unknownTask },
  judge({ unknownTask: asked }, target) {
    const { call } = sentCall(asked, ({ operation }) => operation === "SubscribeToTask")!;
    if (isForbidden(call, target)) return notApplicable("the agent does not reveal whether a task exists");
    const details = answerOf(call, `${wanted("TaskNotFound", call)}, and no message`);
    assertReadable(call);
    if (call.reply.is === "stream" && call.reply.events.length === 0)
      return broken("a stream that fails immediately ends with status OK and no message", details);
    if (call.reply.is === "stream" && errorOf(call))
      return broken("a stream that fails immediately has a message before the error", details);
    const found = expectNamed(call, "TaskNotFound", {
      what: "SubscribeToTask with an unknown id",
      also: ["InvalidParams"],
    });
    if (found.is !== "holds" || isNamed(call, "TaskNotFound")) return found;
    const saw = brief(errorOf(call)?.details);
    return breach("no-error-info", "the error of a streaming call has no ErrorInfo", { ...details, saw });
  },
});

export const listsActiveExtensions = activeCheck("GRPC-016", {
  uses: { messageWithExtensions },
  judge({ messageWithExtensions: { call, asked } }) {
    if (call.reply.is !== "result")
      return notExamined("not-triggered", `the message got no valid response: ${describeReply(call)}`);
    const echoed = echoedIn(call) ?? [];
    if (asked.some((uri) => echoed.includes(uri))) return holds();
    return broken("the response metadata does not list the requested extensions", {
      saw: echoed.length ? brief(echoed) : "no a2a-extensions",
      want: "a2a-extensions with the active extensions",
      at: call,
    });
  },
});

export const resourceNames = activeCheck("V03-GRPC-001", {
  uses: { sentMessage },
  judge({ sentMessage: { task, got, call } }) {
    if (!task) return noTaskSent();
    const want = "the Task with id {id} for GetTask with name tasks/{id}";
    if (task.id.startsWith("tasks/"))
      return broken("the id of a task is a resource name", { saw: brief(task.id), want, at: call });
    const shown = got && taskIn(got);
    // GET-001 judges whether the task exists at all.
    if (!shown || shown.id === task.id) return holds();
    return broken("GetTask with a resource name returns a task with another id", {
      saw: brief(shown.id),
      want,
      at: got,
    });
  },
});

export const card = activeCheck("V03-GRPC-002", {
  uses: { everyOperation },
  judge({ everyOperation: asked }) {
    const one = sentCall(asked, ({ operation }) => operation === "GetExtendedAgentCard");
    if (!one) return notApplicable("the version has no such operation");
    const { call } = one;
    const details = answerOf(call, "an AgentCard");
    if (isUnknown(one, asked)) return broken("the agent does not implement GetAgentCard", details);
    // Other rules judge which callers may see the card.
    if (errorOf(call)) return isInternal(call) ? crashed("GetAgentCard returns an internal error", details) : holds();
    if (call.reply.is === "failure") return notExamined("unstable", `GetAgentCard got no response: ${details.saw}`);
    if (call.reply.is !== "result") return broken("GetAgentCard returns no AgentCard message", details);
    return asText(asObject(resultOf(call))?.["name"]) ? holds() : broken("GetAgentCard returns an empty card", details);
  },
});
