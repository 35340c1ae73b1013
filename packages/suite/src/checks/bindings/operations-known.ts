import type { Operation } from "@assay/protocol";
import type { Call } from "../../call.ts";
import { activeCheck, passiveCheck } from "../../check.ts";
import { breach, broken, type Finding, holds } from "../../finding.ts";
import { everyOperation } from "../../observations/every-operation.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { isClaimed, unknownTask } from "../../observations/unknown-task.ts";
import { describeReply, errorOf } from "../../reading.ts";
import type { Target } from "../../target.ts";
import { isA2A, isNamed } from "../errors/names.ts";

interface Asked {
  readonly operation: Operation;
  readonly call: Call;
}

/**
 * Answered as if there were no such operation. Any other error shows that it is known. `asked` are the calls beside it:
 * an agent that dresses all its errors as its web server does cannot be told from one that lacks the path.
 */
export function isUnknown({ operation, call }: Asked, asked: readonly Asked[] = []): boolean {
  const error = errorOf(call);
  if (isA2A(call)) return false;
  switch (call.on.binding) {
    case "JSONRPC":
      return error?.code === -32601;
    case "GRPC":
      return error?.grpc?.status === "UNIMPLEMENTED";
    case "HTTP+JSON": {
      // By which verb one subscribes is not settled (AMB-04), and REST-006 tries both.
      if (operation === "SubscribeToTask") return false;
      const status = call.exchange.http.response?.status;
      if (status === 405) return true;
      if (status !== 404) return false;
      // Where there is no id in the path, only the path can be what was not found.
      if (operation === "ListTasks" || operation === "GetExtendedAgentCard") return true;
      const known = asked.find((one) => one.operation === "GetTask");
      return call.reply.is === "malformed" && operation !== "GetTask" && known?.call.reply.is !== "malformed";
    }
  }
}

/** Without tasks there is nothing to get, list, cancel or subscribe to. */
const aboutTasks = (operation: Operation): boolean =>
  !operation.startsWith("Send") && operation !== "GetExtendedAgentCard";

/** Each operation is known; `id` is the rule that says so for a binding, or for all. */
const allKnown = (id: string, title: string, remedy: string) =>
  activeCheck({
    id,
    title,
    remedy,
    uses: { everyOperation },
    also: { sentMessage },
    judge({ everyOperation: asked, sentMessage: seen }, target) {
      const findings = asked.map((one): Finding => {
        if (!isUnknown(one, asked) || isOptional(one.operation, target)) return holds();
        const message = `${one.operation} is unknown to the agent`;
        const details = {
          saw: describeReply(one.call),
          want: "an answer, or the error of the operation",
          at: one.call,
        };
        const isNeedless = !seen?.task && aboutTasks(one.operation);
        return breach(isNeedless ? "task-operation-unknown" : "broken", message, details);
      });
      return findings;
    },
  });

/** Before 1.0 what the card does not claim need not be there at all. */
export const isOptional = (operation: Operation, target: Target): boolean =>
  target.on.dialect !== "1.0" && !isClaimed(operation, target);

const eleven = "Serve all eleven operations; those behind a capability you do not claim answer with its error.";

/** A claimed capability: none of its operations says that it is not there. */
function judgeClaimed(
  asked: readonly Asked[],
  all: readonly Asked[],
  refusal: "UnsupportedOperation" | "PushNotificationNotSupported",
): Finding[] {
  return asked.map((one): Finding => {
    if (!isUnknown(one, all) && !isNamed(one.call, refusal)) return holds();
    return broken(`${one.operation} is not served although the card claims it`, {
      saw: describeReply(one.call),
      want: "an answer, or that there is no such task",
      at: one.call,
    });
  });
}

const streamingIsServed = activeCheck({
  id: "CAP-002",
  title: "an agent that claims streaming serves it",
  remedy: "Serve SendStreamingMessage and SubscribeToTask, or set capabilities.streaming to false.",
  uses: { unknownTask },
  judge({ unknownTask: asked }, _target) {
    const streams = asked.filter(({ operation }) => /^(SendStreaming|Subscribe)/.test(operation));
    return judgeClaimed(streams, asked, "UnsupportedOperation");
  },
});

const pushIsServed = activeCheck({
  id: "CAP-003",
  title: "an agent that claims push notifications serves their configuration",
  remedy: "Serve the four operations on push configurations, or set capabilities.pushNotifications to false.",
  // A task that does not exist shows as much as a live one.
  requires: ["pushNotifications"],
  uses: { unknownTask },
  judge({ unknownTask: asked }, _target) {
    const push = asked.filter(({ operation }) => operation.includes("Push"));
    return judgeClaimed(push, asked, "PushNotificationNotSupported");
  },
});

/** The first call shows it, which holds up all others where it is so. */
const theService = passiveCheck({
  id: "GRPC-001",
  title: "the A2AService of the version is served",
  remedy: "Serve A2AService of the normative a2a.proto: its package is lf.a2a.v1 in 1.0, and was a2a.v1 in 0.3.",
  judge(call) {
    if (call.operation !== "GetTask" || call.reply.is === "failure" || call.reply.is === "malformed") return undefined;
    if (!isUnknown({ operation: "GetTask", call })) return holds();
    const method = `${call.on.dialect === "1.0" ? "lf.a2a.v1" : "a2a.v1"}.A2AService/GetTask`;
    return broken(`${method} is not implemented`, {
      saw: describeReply(call),
      want: `an answer of ${method}`,
      at: call,
    });
  },
});

export const knownChecks = [
  streamingIsServed,
  pushIsServed,
  allKnown("CAP-004", "the agent knows all eleven operations", eleven),
  allKnown(
    "JSONRPC-005",
    "the agent knows all eleven JSON-RPC methods",
    `${eleven} The methods are named in PascalCase: SendMessage, GetTask, ListTasks.`,
  ),
  allKnown(
    "GRPC-002",
    "the agent implements every RPC of the service",
    "Implement every RPC of A2AService. An RPC behind a capability you do not declare answers with its error.",
  ),
  theService,
];
