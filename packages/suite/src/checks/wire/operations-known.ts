import type { Operation } from "@assay/protocol";
import { probe, trafficCheck } from "../../check.ts";
import { broken, type Finding, holds, tolerated } from "../../finding.ts";
import type { Lab } from "../../lab.ts";
import { everyOperation } from "../../observations/every-operation.ts";
import { settled } from "../../observations/settled.ts";
import { isClaimed, unknownTask } from "../../observations/unknown-task.ts";
import { describeReply, errorOf } from "../../reading.ts";
import type { Talk } from "../../talk.ts";
import { worstOf } from "../../worst-of.ts";
import { isA2A, isNamed } from "./errors/names.ts";

interface Asked {
  readonly operation: Operation;
  readonly talk: Talk;
}

/**
 * Answered as if there were no such operation. Any other error shows that it is known. `asked` are the calls beside it:
 * an agent that dresses all its errors as its web server does cannot be told from one that lacks the path.
 */
export function isUnknown({ operation, talk }: Asked, asked: readonly Asked[] = []): boolean {
  const error = errorOf(talk);
  if (isA2A(talk)) return false;
  switch (talk.on.binding) {
    case "JSONRPC":
      return error?.code === -32601;
    case "GRPC":
      return error?.grpc?.status === "UNIMPLEMENTED";
    case "HTTP+JSON": {
      // By which verb one subscribes is not settled (AMB-04), and REST-006 tries both.
      if (operation === "SubscribeToTask") return false;
      const status = talk.exchange.http.response?.status;
      if (status === 405) return true;
      if (status !== 404) return false;
      // Where there is no id in the path, only the path can be what was not found.
      if (operation === "ListTasks" || operation === "GetExtendedAgentCard") return true;
      const known = asked.find((one) => one.operation === "GetTask");
      return talk.reply.is === "malformed" && operation !== "GetTask" && known?.talk.reply.is !== "malformed";
    }
  }
}

/** Without tasks there is nothing to get, list, cancel or subscribe to. */
const aboutTasks = (operation: Operation): boolean =>
  !operation.startsWith("Send") && operation !== "GetExtendedAgentCard";

/** Each operation is known; `id` is the rule that says so for a binding, or for all. */
const allKnown = (id: string, remedy: string) =>
  probe({
    id,
    title: "all eleven operations are known",
    remedy,
    uses: { everyOperation },
    also: { settled },
    probe({ everyOperation: asked, settled: seen }, lab) {
      const findings = asked.map((one): Finding => {
        if (!isUnknown(one, asked) || isOptional(one.operation, lab)) return holds();
        const message = `${one.operation} is unknown to the agent`;
        const details = {
          saw: describeReply(one.talk),
          want: "an answer, or the error of the operation",
          at: one.talk,
        };
        return !seen?.task && aboutTasks(one.operation)
          ? tolerated("AMB-49", message, details)
          : broken(message, details);
      });
      return worstOf(id, findings, lab);
    },
  });

/** Before 1.0 what the card does not claim need not be there at all. */
const isOptional = (operation: Operation, lab: Lab): boolean => lab.on.dialect !== "1.0" && !isClaimed(operation, lab);

const eleven = "Serve all eleven operations; those behind a capability you do not claim answer with its error.";

/** A claimed capability: none of its operations says that it is not there. */
function judgeClaimed(
  id: string,
  asked: readonly Asked[],
  all: readonly Asked[],
  refusal: "UnsupportedOperation" | "PushNotificationNotSupported",
  lab: Lab,
): Finding {
  const findings = asked.map((one): Finding => {
    if (!isUnknown(one, all) && !isNamed(one.talk, refusal)) return holds();
    return broken(`${one.operation} is not served although the card claims it`, {
      saw: describeReply(one.talk),
      want: "an answer, or that there is no such task",
      at: one.talk,
    });
  });
  return worstOf(id, findings, lab);
}

const streamingIsServed = probe({
  id: "CAP-002",
  title: "an agent that claims streaming serves it",
  remedy: "Serve SendStreamingMessage and SubscribeToTask, or set capabilities.streaming to false.",
  uses: { unknownTask },
  probe({ unknownTask: asked }, lab) {
    const streams = asked.filter(({ operation }) => /^(SendStreaming|Subscribe)/.test(operation));
    return judgeClaimed("CAP-002", streams, asked, "UnsupportedOperation", lab);
  },
});

const pushIsServed = probe({
  id: "CAP-003",
  title: "an agent that claims push notifications serves their configuration",
  remedy: "Serve the four operations on push configurations, or set capabilities.pushNotifications to false.",
  // A task that does not exist shows as much as a live one.
  requires: ["pushNotifications"],
  uses: { unknownTask },
  probe({ unknownTask: asked }, lab) {
    const push = asked.filter(({ operation }) => operation.includes("Push"));
    return judgeClaimed("CAP-003", push, asked, "PushNotificationNotSupported", lab);
  },
});

/** The first call shows it, which holds up all others where it is so. */
const theService = trafficCheck({
  id: "GRPC-001",
  title: "the A2AService of the version is served",
  remedy: "Serve A2AService of the normative a2a.proto: its package is lf.a2a.v1 in 1.0, and was a2a.v1 in 0.3.",
  judge(talk) {
    if (talk.operation !== "GetTask" || talk.reply.is === "failure" || talk.reply.is === "malformed") return undefined;
    if (!isUnknown({ operation: "GetTask", talk })) return holds();
    const call = `${talk.on.dialect === "1.0" ? "lf.a2a.v1" : "a2a.v1"}.A2AService/GetTask`;
    return broken(`${call} is not implemented`, { saw: describeReply(talk), want: `an answer of ${call}`, at: talk });
  },
});

export const knownChecks = [
  streamingIsServed,
  pushIsServed,
  allKnown("CAP-004", eleven),
  allKnown("JSONRPC-005", `${eleven} The methods are named in PascalCase: SendMessage, GetTask, ListTasks.`),
  allKnown("GRPC-002", eleven),
  theService,
];
