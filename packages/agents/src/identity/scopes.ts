import { type Operation, operations } from "@assay/protocol/core";

/** What a token can be good for, and the operations that ask for it. */
const scopeTable = {
  "tasks:read": {
    means: "Read tasks, subscribe to them, and list their push configurations",
    allows: [
      "GetTask",
      "ListTasks",
      "SubscribeToTask",
      "GetTaskPushNotificationConfig",
      "ListTaskPushNotificationConfigs",
    ],
  },
  "tasks:write": { means: "Send messages", allows: ["SendMessage", "SendStreamingMessage"] },
  "tasks:cancel": { means: "Cancel tasks", allows: ["CancelTask"] },
  "push:write": {
    means: "Create and delete push configurations of tasks",
    allows: ["CreateTaskPushNotificationConfig", "DeleteTaskPushNotificationConfig"],
  },
  "card:extended": { means: "Read the extended card", allows: ["GetExtendedAgentCard"] },
} as const satisfies Record<string, { means: string; allows: readonly Operation[] }>;

export type TokenScope = keyof typeof scopeTable;

export const allScopes = Object.keys(scopeTable) as readonly TokenScope[];

/** What every caller has: enough to send messages and to see what becomes of them. */
export const basicScopes: readonly TokenScope[] = ["tasks:read", "tasks:write"];

/** As a card lists them. */
export const scopeMeanings: Readonly<Record<string, string>> = Object.fromEntries(
  allScopes.map((scope) => [scope, scopeTable[scope].means]),
);

const allows = (scope: TokenScope, operation: Operation): boolean =>
  (scopeTable[scope].allows as readonly Operation[]).includes(operation);

/** The scope that an operation asks for. */
export const scopeFor = (operation: Operation): TokenScope => allScopes.find((scope) => allows(scope, operation))!;

/** What those who have these scopes may not do. Names that are no scopes of ours give nothing. */
export const forbiddenWith = (granted: readonly string[]): readonly Operation[] =>
  (Object.keys(operations) as Operation[]).filter((operation) => !granted.includes(scopeFor(operation)));
