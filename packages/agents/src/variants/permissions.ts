import { randomUUID } from "node:crypto";
import type { JsonObject, ListTasksResponse, SendMessageResponse, StreamResponse } from "@assay/protocol";
import type { Outcome } from "../definition/call.ts";
import { type Divergence, full, secure, spec } from "../definition/divergence.ts";
import { callersWithKeys } from "../identity/secure-access.ts";
import { secureCallers } from "../identity/secure-callers.ts";
import { withExtensionMethod } from "../mutation/extension-method.ts";
import { errors } from "../mutation/json.ts";
import { changeAnswer, changeParams, type Events, intercept } from "../mutation/operations.ts";
import { RecentMap } from "../mutation/recent.ts";

/** Agents that use explicit permissions of the rules. */

const asks = "TASK_STATE_AUTH_REQUIRED";

/** Time that the user takes to log in elsewhere. */
const loginMs = 200;

async function* noticing(events: Events, notice: (taskId: string) => void): AsyncGenerator<StreamResponse> {
  for await (const event of events) {
    if (event.statusUpdate?.status.state === asks) notice(event.statusUpdate.taskId);
    yield event;
  }
}

/** Remembers the responses to messages. */
const recognisesRepeats: Divergence = spec(
  "recognises-repeats",
  "A repeated message with the same messageId returns the task it started.",
  () => {
    const answered = new RecentMap<Promise<Outcome>>();
    const operations = intercept(["SendMessage"], async ({ request, invocation, proceed, ask }) => {
      const key = JSON.stringify([invocation.caller?.name, invocation.tenant, request.message.messageId]);
      const before = answered.get(key);
      if (!before) {
        const work = proceed();
        answered.set(key, work);
        // A rejected message may be sent again.
        work.catch(() => answered.delete(key));
        return work;
      }
      const { task } = (await before).answer as SendMessageResponse;
      return task ? { answer: { task: await ask("GetTask", { id: task.id }) } } : before;
    });
    return { operations };
  },
);

export const permissionVariants: readonly Divergence[] = [
  // LIST-026
  spec("short-pages", "A page of tasks has one less than the page size, although more follow.", {
    operations: intercept(["ListTasks"], async ({ request, proceed }) => {
      const { pageSize = 50 } = request;
      if (pageSize < 2 || pageSize > 100) return proceed();
      const page = (await proceed({ ...request, pageSize: pageSize - 1 })).answer as ListTasksResponse;
      return { answer: { ...page, pageSize } };
    }),
  }),

  // LIST-005: a2a.proto lets the service return fewer tasks than requested, and asks for the page size that it used.
  spec("capped-pages", "A page has two tasks at most, and pageSize says so.", {
    operations: changeParams(["ListTasks"], (request) => {
      const { pageSize = 50 } = request;
      return pageSize > 2 && pageSize <= 100 ? { ...request, pageSize: 2 } : request;
    }),
  }),

  // SEND-018
  recognisesRepeats,

  // INTASK-005
  spec("goes-on-by-itself", "A task that needs an authorisation continues once it is given, without a message.", {
    operations: intercept(["SendMessage", "SendStreamingMessage"], async ({ proceed, ask }) => {
      const goOn = (taskId: string): void => {
        const parts = [{ text: "The login page has called back." }];
        const message = { messageId: randomUUID(), role: "ROLE_USER", taskId, parts } as const;
        // The task may have been canceled meanwhile.
        setTimeout(() => ask("SendMessage", { message: { ...message } }).catch(() => {}), loginMs);
      };
      const outcome = await proceed();
      if (outcome.events) return { events: noticing(outcome.events, goOn) };
      const { task } = outcome.answer as SendMessageResponse;
      if (task?.status.state === asks) goOn(task.id);
      return outcome;
    }),
  }),

  // JSONRPC-027
  spec("own-words", "JSON-RPC errors have custom message texts.", {
    codec: errors("JSONRPC", (answer) => ({
      ...answer,
      error: { ...(answer["error"] as JsonObject), message: "Das ging leider schief." },
    })),
  }),

  // TEN-007
  full(
    "odd-tenants",
    "Tenant names contain slashes, spaces and non-ASCII letters.",
    {},
    { tenants: ["north/east", "Süd & West"] },
  ),

  // XCARD-006
  secure(
    "card-by-rank",
    "Callers with fewer permissions get an extended card with fewer skills.",
    {
      operations: changeAnswer(["GetExtendedAgentCard"], (card, { agent, invocation }) => {
        if (!invocation.caller?.mayNot?.length) return card;
        const secret = agent.definition.extended?.skills.map(({ id }) => id) ?? [];
        return { ...card, skills: card.skills.filter(({ id }) => !secret.includes(id)) };
      }),
    },
    {
      access: callersWithKeys(
        secureCallers.map(({ mayNot = [], ...caller }) => ({
          ...caller,
          mayNot: mayNot.filter((operation) => operation !== "GetExtendedAgentCard"),
        })),
      ),
    },
  ),

  // BIND-009, BIND-015
  spec("own-binding", "The card declares a custom binding besides the others.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: [
        ...(card["supportedInterfaces"] as JsonObject[]),
        {
          url: "wss://agent.example.com/a2a",
          protocolBinding: "https://example.com/bindings/websocket/v1",
          protocolVersion: "1.0",
        },
      ],
    }),
  }),

  // EXT-015
  {
    id: "extension-method",
    base: "secure",
    does: "An extension adds its own method, for authenticated callers.",
    differs: () => withExtensionMethod({ isOpen: false }),
  },
];
