import type { Operation } from "@assay/protocol";
import { asText, brief } from "../../../answers/loose-json.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import { callName, messageOf, toldBy } from "../../../client/request-fields.ts";
import { broken, holds } from "../../../define/finding.ts";

const ownContext = passiveClientCheck({
  id: "CTX-004",
  judge(call, { before, whole, told }) {
    const message = messageOf(call);
    if (!message || !whole) return undefined;
    const context = asText(message["contextId"]);
    if (!context || told?.has(context)) return holds();
    if (toldBy(before).contexts.has(context)) return holds();
    return broken("a message names a context that the agent did not give out", {
      saw: brief(context),
      want: "none, or one of the agent's",
    });
  },
});

const knownTask = passiveClientCheck({
  id: "CTX-017",
  judge(call, { before, whole, told }) {
    const message = messageOf(call);
    const task = asText(message?.["taskId"]);
    if (!message || !task) return undefined;
    const known = toldBy(before);
    if (!known.tasks.has(task) && !told?.has(task))
      // In 0.1 it is the client that makes the ids of tasks.
      return whole && call.on.dialect !== "0.1"
        ? broken("a message names a task that the agent never told of", {
            saw: brief(task),
            want: "an id that came from the agent",
          })
        : undefined;
    const [context, own] = [asText(message["contextId"]), known.contextOf.get(task)];
    return context && own && context !== own
      ? broken("a message names another context than that of its task", { saw: brief(context), want: own })
      : holds();
  },
});

/** What a card has to say before an operation is used, and how that is told. */
const needs: Partial<Record<Operation, "streaming" | "pushNotifications" | "extendedAgentCard">> = {
  SendStreamingMessage: "streaming",
  SubscribeToTask: "streaming",
  CreateTaskPushNotificationConfig: "pushNotifications",
  GetTaskPushNotificationConfig: "pushNotifications",
  ListTaskPushNotificationConfigs: "pushNotifications",
  DeleteTaskPushNotificationConfig: "pushNotifications",
  GetExtendedAgentCard: "extendedAgentCard",
};

const asOffered = passiveClientCheck({
  id: "CAP-001",
  judge(call, { agent }) {
    const capability = call.operation && needs[call.operation];
    if (!capability) return undefined;
    if (agent[capability]) return holds();
    return broken(`${callName(call)} is called, and the card does not offer ${capability}`, {
      saw: `capabilities.${capability} is not true`,
      want: "no such call",
    });
  },
});

const sameToken = passiveClientCheck({
  id: "LIST-025",
  judge(call, { before, whole, told }) {
    const token = call.operation === "ListTasks" ? asText(call.params?.["pageToken"]) : undefined;
    if (!token || !whole || told?.has(token)) return undefined;
    if (toldBy(before).pageTokens.has(token)) return holds();
    return broken("ListTasks names a page token that the agent did not give out", {
      saw: brief(token),
      want: "a nextPageToken, unchanged",
    });
  },
});

export const clientConversationChecks = [ownContext, knownTask, asOffered, sameToken];
