import { type Operation, operations } from "@assay/protocol/core";

/** The scopes of tokens, and the operations that require them. */
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

/** The scopes of every caller: enough to send messages and read their results. */
export const basicScopes: readonly TokenScope[] = ["tasks:read", "tasks:write"];

/** The descriptions for the card. */
export const scopeMeanings: Readonly<Record<string, string>> = Object.fromEntries(
  allScopes.map((scope) => [scope, scopeTable[scope].means]),
);

const allows = (scope: TokenScope, operation: Operation): boolean =>
  (scopeTable[scope].allows as readonly Operation[]).includes(operation);

/** Returns the scope that an operation requires. */
export const scopeFor = (operation: Operation): TokenScope => allScopes.find((scope) => allows(scope, operation))!;

/** Returns the operations that these scopes do not allow. Unknown scopes are ignored. */
export const forbiddenWith = (granted: readonly string[]): readonly Operation[] =>
  (Object.keys(operations) as Operation[]).filter((operation) => !granted.includes(scopeFor(operation)));
