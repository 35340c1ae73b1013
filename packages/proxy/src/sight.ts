import { isObject, type Operation } from "@assay/protocol";
import {
  type ClientRequest,
  isAccepted,
  type JudgedDelivery,
  type JudgedTraffic,
  type TrafficBreach,
} from "@assay/suite";
import type { Exchange, PeerInterface, Reply } from "@assay/wire";
import type { Notice } from "./passing/notice.ts";

/** One item to show, as it happens. */
export type Sight = PassedCall | SeenNotice | SeenCard;

/** A short description of a request and its response. */
export interface PassedCall {
  readonly is: "call";
  readonly id: string;
  /** milliseconds since the proxy was opened */
  readonly at: number;
  /** the 1.0 name of the operation, or verb and path */
  readonly asked: string;
  readonly over?: Pick<PeerInterface, "binding" | "dialect">;
  /** for example "task working", "7 events", "error -32001" */
  readonly answer: string;
  readonly tookMs: number;
  readonly bytes: number;
  readonly breaches: readonly TrafficBreach[];
  /** why the agent's side was not judged */
  readonly unjudged?: string;
  /** the faults of `--fault` that hit it: neither side was judged */
  readonly faults?: readonly string[];
  /** the task that answered a message which does not continue one */
  readonly begins?: string;
  /** a message that the agent answered with a result */
  readonly accepted?: true;
}

export interface SeenNotice extends Notice {
  readonly is: "notice";
  readonly at: number;
}

export interface SeenCard {
  readonly is: "card";
  readonly at: number;
  readonly name: string;
  readonly version: string;
  readonly changes: readonly string[];
}

/** Describes a notification that the agent sent to the client's webhook. `judged` is missing if none registered it. */
export const deliverySeen = (exchange: Exchange, at: number, judged: JudgedDelivery | undefined): PassedCall => {
  const { http, timing, id, failure, faults } = exchange;
  const unjudged = faults
    ? `fault: ${faults.join(", ")}`
    : judged
      ? undefined
      : "no call through the proxy registered this webhook";
  return {
    is: "call",
    id,
    at,
    asked: "← notification",
    ...(judged?.on && { over: { binding: judged.on.binding, dialect: judged.on.dialect } }),
    answer: failure ? failure.message : String(http.response?.status ?? "no answer"),
    tookMs: timing.end,
    bytes: http.request.body.length,
    breaches: judged?.breaches ?? [],
    ...(unjudged !== undefined && { unjudged }),
    ...(faults && { faults }),
  };
};

/** Describes an exchange briefly. `judged` is missing if no card is known yet. */
export function callSeen(exchange: Exchange, at: number, judged: JudgedTraffic | undefined): PassedCall {
  const { http, timing, id, failure, faults } = exchange;
  const request = judged?.request;
  const unjudged = faults
    ? `fault: ${faults.join(", ")}`
    : judged
      ? unjudgedBy(judged)
      : "no card of the agent is known yet";
  return {
    is: "call",
    id,
    at,
    asked: askedBy(exchange, request),
    ...(request?.is === "call" && { over: { binding: request.on.binding, dialect: request.on.dialect } }),
    answer: failure ? failure.message : answerOf(exchange, request),
    tookMs: timing.end,
    bytes: http.response?.body.length ?? 0,
    breaches: judged?.breaches ?? [],
    ...(unjudged !== undefined && { unjudged }),
    ...(faults && { faults }),
    ...(request?.is === "call" && begunBy(request)),
    ...(request?.is === "call" && isSend(request) && isAccepted(request) && { accepted: true as const }),
  };
}

const isSend = ({ operation }: Extract<ClientRequest, { is: "call" }>): boolean =>
  operation === "SendMessage" || operation === "SendStreamingMessage";

function begunBy({ operation, params, reply }: Extract<ClientRequest, { is: "call" }>): { begins?: string } {
  const message = params?.["message"];
  if (operation !== "SendMessage" || reply.is !== "result" || !isObject(message) || !isObject(reply.json)) return {};
  const { task } = reply.json;
  const id = isObject(task) ? task["id"] : undefined;
  return message["taskId"] || typeof id !== "string" ? {} : { begins: id };
}

function unjudgedBy({ request, unjudged }: JudgedTraffic): string | undefined {
  if (request.is === "stray") return request.because;
  return unjudged;
}

function askedBy({ http: { request } }: Exchange, seen: ClientRequest | undefined): string {
  if (seen?.is === "call") return seen.operation ?? seen.method;
  const { pathname } = new URL(request.url);
  return `${request.method} ${seen?.is === "card" ? pathname.split("/").at(-1) : pathname}`;
}

function answerOf(exchange: Exchange, seen: ClientRequest | undefined): string {
  const status = String(exchange.http.response?.status ?? "no answer");
  if (seen?.is !== "call" || !seen.operation) return status;
  return replyIn(seen.reply, seen.operation) ?? status;
}

function replyIn(reply: Reply, operation: Operation): string | undefined {
  switch (reply.is) {
    case "result":
      return resultIn(reply.json, operation);
    case "error": {
      const { code, grpc, http } = reply.error;
      return `error ${code ?? grpc?.status ?? grpc?.code ?? http}`;
    }
    case "stream":
      return `${reply.events.length} ${reply.events.length === 1 ? "event" : "events"}`;
    case "malformed":
      return reply.because;
    case "failure":
      return reply.failure.message;
  }
}

function resultIn(json: unknown, operation: Operation): string {
  if (!isObject(json)) return "a result";
  const task = operation === "GetTask" || operation === "CancelTask" ? json : json["task"];
  if (isObject(task)) {
    const { state } = isObject(task["status"]) ? task["status"] : {};
    return `task ${
      typeof state === "string"
        ? state
            .replace(/^TASK_STATE_/, "")
            .toLowerCase()
            .replaceAll("_", "-")
        : ""
    }`.trimEnd();
  }
  if (isObject(json["message"])) return "message";
  if (Array.isArray(json["tasks"])) return `${json["tasks"].length} tasks`;
  return "a result";
}
