import { A2AError, isStreaming, type Operation, type RequestOf } from "@assay/protocol/core";
import type { StopSignal } from "@assay/wire/server";
import type { AgentDefinition } from "../definition/agent.ts";
import type { Invocation, Perform } from "../definition/call.ts";
import { withheld } from "../push/configs.ts";
import type { ServedAgent } from "./served-agent.ts";

type PerformingAgent = Pick<ServedAgent, "definition" | "engine" | "push" | "identity" | "extendedCard">;

/**
 * Performs the operations of an agent. It checks in the recommended order (AMB-34): capability, then
 * existence, then state.
 */
export const performWith =
  (agent: PerformingAgent): Perform =>
  async (operation, request, call) => {
    const { definition, engine, push } = agent;
    checkCapabilities(definition, operation);
    // The operation's name decides the type of its request, which TypeScript cannot follow through
    // a switch.
    const given = request as never;
    switch (operation as Operation) {
      case "SendMessage":
        return { answer: await engine.send(given, call) };
      case "SendStreamingMessage":
        return { events: await engine.stream(given, call, departureOf(call)) };
      case "GetTask":
        return { answer: await engine.get(given, call, departureOf(call)) };
      case "ListTasks":
        return { answer: await engine.list(given, call) };
      case "CancelTask":
        return { answer: await engine.cancel(given, call) };
      case "SubscribeToTask":
        return { events: await engine.subscribe(given, call, departureOf(call)) };
      case "CreateTaskPushNotificationConfig": {
        const { tenant: _tenant, ...config } = given as RequestOf<"CreateTaskPushNotificationConfig">;
        if (!config.taskId) {
          const violations = [{ path: "$.taskId", message: "is required and missing" }];
          throw new A2AError("InvalidParams", "Invalid parameters: taskId is required", { violations });
        }
        push.check(config);
        await engine.require(config.taskId, call);
        return { answer: await push.register(call, config.taskId, config) };
      }
      case "GetTaskPushNotificationConfig": {
        const { taskId, id } = given as RequestOf<"GetTaskPushNotificationConfig">;
        await engine.require(taskId, call);
        const { configs = [] } = definition.habits?.onlyPushConfig ? await push.list(call, { taskId }) : {};
        return { answer: withheld(configs.length === 1 ? configs[0]! : await push.get(call, taskId, id)) };
      }
      case "ListTaskPushNotificationConfigs": {
        const query = given as RequestOf<"ListTaskPushNotificationConfigs">;
        await engine.require(query.taskId, call);
        const { configs = [], ...page } = await push.list(call, query);
        return { answer: { configs: configs.map(withheld), ...page } };
      }
      case "DeleteTaskPushNotificationConfig": {
        const { taskId, id } = given as RequestOf<"DeleteTaskPushNotificationConfig">;
        await engine.require(taskId, call);
        await push.delete(call, taskId, id);
        return { answer: {} };
      }
      case "GetExtendedAgentCard":
        await checkExtendedAccess(agent, call.authorization);
        return { answer: agent.extendedCard(call.baseUrl) };
    }
  };

const departureOf = ({ client }: Invocation): StopSignal => client.departure ?? client.signal;

function checkCapabilities(definition: AgentDefinition, operation: Operation): void {
  if (isStreaming(operation) && !definition.streaming) {
    throw new A2AError(
      "UnsupportedOperation",
      "This agent does not support streaming (see capabilities.streaming in its card)",
    );
  }
  if (operation.includes("PushNotification") && !definition.push) {
    throw new A2AError("PushNotificationNotSupported", "This agent does not support push notifications");
  }
  if (operation === "GetExtendedAgentCard" && !definition.extended) {
    throw new A2AError("UnsupportedOperation", "This agent has no extended card");
  }
}

async function checkExtendedAccess(
  { definition: { extended }, identity }: PerformingAgent,
  authorization: string | undefined,
): Promise<void> {
  const shown = authorization === undefined ? {} : { authorization };
  const caller = await extended?.access?.identify(shown, identity);
  if (!extended?.access || (caller && caller !== "forbidden")) return;
  if (caller) throw new A2AError("PermissionDenied", "This token does not give permission for the extended card");
  throw new A2AError("Unauthenticated", "The extended card requires a Bearer token");
}
