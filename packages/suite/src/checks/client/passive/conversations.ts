import type { Operation } from "@assay/protocol";
import { asText, brief } from "../../../answers/loose-json.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import { callName, messageOf, toldBy } from "../../../client/request-fields.ts";
import { broken, holds } from "../../../define/finding.ts";

export const ownContext = passiveClientCheck("CTX-004", {
  judge(call, { before, whole, told }) {
    const message = messageOf(call);
    if (!message || !whole) return undefined;
    const context = asText(message["contextId"]);
    if (!context || told?.has(context)) return holds();
    if (toldBy(before).contexts.has(context)) return holds();
    return broken("the client sends a contextId that did not come from the agent", {
      saw: brief(context),
      want: "no contextId, or one from the agent",
    });
  },
});

export const knownTask = passiveClientCheck("CTX-017", {
  judge(call, { before, whole, told }) {
    const message = messageOf(call);
    const task = asText(message?.["taskId"]);
    if (!message || !task) return undefined;
    const known = toldBy(before);
    if (!known.tasks.has(task) && !told?.has(task))
      // In 0.1, clients generate task ids.
      return whole && call.on.dialect !== "0.1"
        ? broken("the client sends a taskId that did not come from the agent", {
            saw: brief(task),
            want: "an id from the agent",
          })
        : undefined;
    const [context, own] = [asText(message["contextId"]), known.contextOf.get(task)];
    return context && own && context !== own
      ? broken("the client sends a different contextId than the task has", { saw: brief(context), want: own })
      : holds();
  },
});

/** Capabilities that the card must declare before a client uses an operation. */
const needs: Partial<Record<Operation, "streaming" | "pushNotifications" | "extendedAgentCard">> = {
  SendStreamingMessage: "streaming",
  SubscribeToTask: "streaming",
  CreateTaskPushNotificationConfig: "pushNotifications",
  GetTaskPushNotificationConfig: "pushNotifications",
  ListTaskPushNotificationConfigs: "pushNotifications",
  DeleteTaskPushNotificationConfig: "pushNotifications",
  GetExtendedAgentCard: "extendedAgentCard",
};

export const asOffered = passiveClientCheck("CAP-001", {
  judge(call, { agent }) {
    const capability = call.operation && needs[call.operation];
    if (!capability) return undefined;
    if (agent[capability]) return holds();
    return broken(`the client calls ${callName(call)}, but the card does not declare ${capability}`, {
      saw: `capabilities.${capability} is not true`,
      want: "no such call",
    });
  },
});

export const sameToken = passiveClientCheck("LIST-025", {
  judge(call, { before, whole, told }) {
    const token = call.operation === "ListTasks" ? asText(call.params?.["pageToken"]) : undefined;
    if (!token || !whole || told?.has(token)) return undefined;
    if (toldBy(before).pageTokens.has(token)) return holds();
    return broken("ListTasks has a page token that did not come from the agent", {
      saw: brief(token),
      want: "a nextPageToken, unchanged",
    });
  },
});
