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

/** Push configurations as each binding has them in its own section; what they do is judged elsewhere. */

const shown = (call: Call): string => describeReply(call);

function judgeCreated({ plain: { call, config, given }, taskId }: PushConfigs): Finding {
  const details = { saw: shown(call), want: "the configuration with id, taskId and url", at: call };
  if (asObject(config?.["pushNotificationConfig"]))
    return broken("a created configuration is nested in pushNotificationConfig", details);
  if (config?.["taskId"] !== taskId) return broken("a created configuration has another taskId than its task", details);
  if (config["url"] !== given["url"])
    return broken("a created configuration has another url than was asked for", details);
  return holds();
}

function judgeGot({ plain: { config, id }, bearer, got, outlived }: PushConfigs): Finding {
  const seen = asObject(resultOf(got));
  const details = { saw: shown(got), want: "the id, taskId and url that Create answered", at: got };
  // Of those that get the same id, the last one replaces the others (AMB-15).
  if (bearer.id === id) return holds("the agent keeps one configuration per task");
  if (!seen && !outlived) return overBefore;
  if (!seen) return broken("a configuration that was created cannot be read", details);
  // What Create left out is judged there.
  const known = ["id", "taskId", "url"].filter((member) => config?.[member] !== undefined);
  const differs = known.find((member) => seen[member] !== config?.[member]);
  return differs
    ? broken(`a configuration is read with another ${differs} than it was created with`, details)
    : holds();
}

/** An ended task may forget its configurations (AMB-35). */
const overBefore = notExamined(
  "prompt",
  "the task was over before its configurations were read",
  "prompts.slow in assay.yaml",
);

function judgeListed({ plain: { id }, listed, lasted }: PushConfigs): Finding {
  const [page] = listed as [Call];
  // A breakdown has nothing to do with whether the task is over.
  if (page.reply.is !== "result" && !lasted && !isInternal(page)) return overBefore;
  const details = { saw: shown(page), want: '{"configs": […], "nextPageToken": …}', at: page };
  if (Array.isArray(resultOf(page))) return broken("the list of configurations is a bare array", details);
  if (page.reply.is !== "result") return undone("configurations cannot be listed", page, details);
  const configs = configsIn(listed);
  if (configs.some((config) => asObject(config["pushNotificationConfig"])))
    return broken("listed configurations are nested in pushNotificationConfig", details);
  if (configs.some((config) => config["id"] === id)) return holds();
  return lasted ? broken("a configuration is missing in the list", details) : overBefore;
}

/** What could not be done, or is not served at all. */
const undone = (message: string, call: Call, details: Details): Finding =>
  breach(isNotServed(call) ? "operation-not-served" : "broken", message, details);

function judgeDeleted({ deletion, outlived }: PushConfigs): Finding {
  if (!deletion) return outlived ? notExamined("not-triggered", "no configuration was deleted") : overBefore;
  const { call } = deletion;
  if (errorOf(call) && !isInternal(call) && !outlived) return overBefore;
  const response = call.exchange.http.response;
  switch (call.on.binding) {
    case "JSONRPC": {
      const json = asObject(jsonIn(textOf(response?.body ?? new Uint8Array())));
      const details = { saw: brief(json), want: '"result": {}', at: call };
      if (isEmptyDeletion(call))
        return breach("empty-deletion-response", "a deleted configuration is confirmed with no result", details);
      if (!json || !("result" in json)) return broken("a deleted configuration is confirmed with no result", details);
      if (json["result"] === null)
        return breach("other-confirmation", "a deleted configuration is confirmed with null instead of {}", details);
      return holds();
    }
    case "HTTP+JSON": {
      const body = textOf(response?.body ?? new Uint8Array()).trim();
      const details = { saw: `HTTP ${response?.status} ${brief(body, 100)}`, want: "200 with {}, or 204", at: call };
      if (call.reply.is !== "result") return undone("a configuration cannot be deleted", call, details);
      const isEmpty = response?.status === 204 || asObject(jsonIn(body)) !== undefined;
      if (isEmpty) return holds();
      return breach("other-confirmation", "a deleted configuration is confirmed with neither {} nor 204", details);
    }
    case "GRPC": {
      const details = { saw: shown(call), want: "OK with google.protobuf.Empty", at: call };
      if (isNotOffered(call)) return notApplicable("the agent deletes no configurations");
      if (call.reply.is !== "result") return undone("a configuration cannot be deleted", call, details);
      const [message] = call.exchange.http.grpc?.messages ?? [];
      return message?.bytes.length
        ? broken("DeleteTaskPushNotificationConfig returns more than Empty", details)
        : holds();
    }
  }
}

/** The body names the task only in a second attempt, after the path alone was refused. */
function judgeTaskInPath({ plain: { call } }: PushConfigs): Finding {
  const sent = textOf(call.exchange.http.request.body ?? new Uint8Array());
  const isRepeated = call.on.dialect === "1.0" && asObject(jsonIn(sent))?.["taskId"] !== undefined;
  if (!isRepeated) return holds();
  return broken("a configuration is accepted only with taskId in the body", {
    saw: `accepted: ${brief(sent, 100)}; refused without taskId`,
    want: "the taskId of the path",
    at: call,
  });
}

type Judge = (seen: PushConfigs) => Finding;

const shape = (id: string, ...judges: readonly Judge[]) =>
  activeCheck({
    id,
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
