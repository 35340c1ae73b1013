import { jsonIn } from "@assay/protocol";
import { isEmptyDeletion } from "../../answers/empty-deletion.ts";
import { isInternal } from "../../answers/expect-error.ts";
import { asObject, brief } from "../../answers/loose-json.ts";
import { describeReply, errorOf, resultOf } from "../../answers/reading.ts";
import { isNotServed } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Details, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { configsIn, type PushConfigs, pushConfigs } from "../../observations/push-configs.ts";
import { textOf } from "../bindings/bodies.ts";
import { isNotOffered } from "./excuses.ts";

/** Judges the form of push configurations on each binding; other rules judge their behaviour. */

const shown = (call: Call): string => describeReply(call);

function judgeCreated({ plain: { call, config, given }, taskId }: PushConfigs): Finding {
  const details = { saw: shown(call), want: "the configuration with id, taskId and url", at: call };
  if (asObject(config?.["pushNotificationConfig"]))
    return broken("the created configuration is nested in pushNotificationConfig", details);
  if (config?.["taskId"] !== taskId) return broken("the created configuration has the wrong taskId", details);
  if (config["url"] !== given["url"])
    return broken("the created configuration has a different url than requested", details);
  return holds();
}

function judgeGot({ plain: { config, id }, bearer, got, outlived }: PushConfigs): Finding {
  const seen = asObject(resultOf(got));
  const details = { saw: shown(got), want: "the id, taskId and url that Create returned", at: got };
  // Of configurations with the same id, the last one replaces the others (AMB-15).
  if (bearer.id === id) return holds("the agent keeps only one configuration per task");
  if (!seen && !outlived) return overBefore;
  if (!seen) return broken("GetTaskPushNotificationConfig does not return a created configuration", details);
  // The rule about Create judges the members that its response omits.
  const known = ["id", "taskId", "url"].filter((member) => config?.[member] !== undefined);
  const differs = known.find((member) => seen[member] !== config?.[member]);
  return differs
    ? broken(`GetTaskPushNotificationConfig returns a different ${differs} than Create`, details)
    : holds();
}

/** An agent may forget the configurations of an ended task (AMB-35). */
const overBefore = notExamined(
  "prompt",
  "the task ended before its configurations were read",
  "prompts.slow in assay.yaml",
);

function judgeListed({ plain: { id }, listed, lasted }: PushConfigs): Finding {
  const [page] = listed as [Call];
  // An internal error is a fault even if the task has ended.
  if (page.reply.is !== "result" && !lasted && !isInternal(page)) return overBefore;
  const details = { saw: shown(page), want: '{"configs": […], "nextPageToken": …}', at: page };
  if (Array.isArray(resultOf(page))) return broken("the list of configurations is a bare array", details);
  if (page.reply.is !== "result") return undone("ListTaskPushNotificationConfigs fails", page, details);
  const configs = configsIn(listed);
  if (configs.some((config) => asObject(config["pushNotificationConfig"])))
    return broken("listed configurations are nested in pushNotificationConfig", details);
  if (configs.some((config) => config["id"] === id)) return holds();
  return lasted ? broken("a configuration is missing from the list", details) : overBefore;
}

/** Reports a failed operation, or one that is not served. */
const undone = (message: string, call: Call, details: Details): Finding =>
  breach(isNotServed(call) ? "operation-not-served" : "broken", message, details);

function judgeDeleted({ deletion, outlived }: PushConfigs): Finding {
  if (!deletion) return outlived ? notExamined("not-triggered", "the agent deleted no configuration") : overBefore;
  const { call } = deletion;
  if (errorOf(call) && !isInternal(call) && !outlived) return overBefore;
  const response = call.exchange.http.response;
  switch (call.on.binding) {
    case "JSONRPC": {
      const json = asObject(jsonIn(textOf(response?.body ?? new Uint8Array())));
      const details = { saw: brief(json), want: '"result": {}', at: call };
      if (isEmptyDeletion(call))
        return breach("empty-deletion-response", "the response to a deletion has no result", details);
      if (!json || !("result" in json)) return broken("the response to a deletion has no result", details);
      if (json["result"] === null)
        return breach("other-confirmation", "the result of a deletion is null instead of {}", details);
      return holds();
    }
    case "HTTP+JSON": {
      const body = textOf(response?.body ?? new Uint8Array()).trim();
      const details = { saw: `HTTP ${response?.status} ${brief(body, 100)}`, want: "200 with {}, or 204", at: call };
      if (call.reply.is !== "result") return undone("DeleteTaskPushNotificationConfig fails", call, details);
      const isEmpty = response?.status === 204 || asObject(jsonIn(body)) !== undefined;
      if (isEmpty) return holds();
      return breach("other-confirmation", "the response to a deletion is neither {} nor 204", details);
    }
    case "GRPC": {
      const details = { saw: shown(call), want: "OK with google.protobuf.Empty", at: call };
      if (isNotOffered(call)) return notApplicable("the agent does not delete configurations");
      if (call.reply.is !== "result") return undone("DeleteTaskPushNotificationConfig fails", call, details);
      const [message] = call.exchange.http.grpc?.messages ?? [];
      return message?.bytes.length
        ? broken("DeleteTaskPushNotificationConfig returns more than Empty", details)
        : holds();
    }
  }
}

/** A second attempt has the task id in the body, after the path alone was refused. */
function judgeTaskInPath({ plain: { call } }: PushConfigs): Finding {
  const sent = textOf(call.exchange.http.request.body ?? new Uint8Array());
  const isRepeated = call.on.dialect === "1.0" && asObject(jsonIn(sent))?.["taskId"] !== undefined;
  if (!isRepeated) return holds();
  return broken("the agent accepts a configuration only with taskId in the body", {
    saw: `accepted: ${brief(sent, 100)}; refused without taskId`,
    want: "the taskId from the path",
    at: call,
  });
}

type Judge = (seen: PushConfigs) => Finding;

const shape = (id: string, ...judges: readonly Judge[]) =>
  activeCheck(id, {
    uses: { pushConfigs },
    judge: ({ pushConfigs: seen }) => judges.map((judge) => judge(seen)),
  });

export const pushShapeChecks = [
  shape("JSONRPC-024", judgeCreated, judgeGot, judgeListed),
  shape("JSONRPC-025", judgeDeleted),
  shape("GRPC-010", judgeCreated),
  shape("GRPC-011", judgeDeleted),
  shape("REST-007", judgeTaskInPath, judgeCreated),
  shape("REST-008", judgeGot),
  shape("REST-009", judgeListed),
  shape("REST-010", judgeDeleted),
];
