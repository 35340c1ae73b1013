/** The migration of an SDK to 1.0. */
export interface SdkMigration {
  readonly title: string;
  /** "a2a-sdk 1.0.0 or later" */
  readonly release: string;
  /** the address of its migration notes */
  readonly notes?: string;
  /** the way to keep serving 0.3 with the new release */
  readonly keepsOlder: string;
  /** the same over gRPC, if it needs more */
  readonly keepsOlderGrpc?: string;
  /** changes that its users have to make, besides names */
  readonly hints: readonly string[];
}

/**
 * Migrations by the names of --sdk. The addresses and names come from the repositories of the SDKs, read in November
 * 2026.
 */
export const sdkMigrations: Readonly<Record<string, SdkMigration>> = {
  "a2a-python": {
    title: "A2A Python SDK",
    release: "a2a-sdk 1.0.0 or later",
    notes: "https://github.com/a2aproject/a2a-python/blob/main/docs/migrations/v1_0/README.md",
    keepsOlder:
      "Pass enable_v0_3_compat=True to create_jsonrpc_routes and create_rest_routes, and list a 0.3 interface on the card.",
    keepsOlderGrpc: "Over gRPC, add CompatGrpcHandler to the server.",
    hints: [
      "Build the application from create_agent_card_routes and create_jsonrpc_routes; A2AStarletteApplication is gone.",
      "Pass agent_card to DefaultRequestHandler.",
      "Enqueue the Task before the first update, or exactly one Message.",
      "Types are protobuf classes: `Part(text=…)`, `Role.ROLE_AGENT`, `TaskState.TASK_STATE_COMPLETED`.",
      "Tables of the database task store need its migration.",
    ],
  },
  "a2a-js": {
    title: "A2A JavaScript SDK",
    release: "@a2a-js/sdk 1.0.0 or later",
    notes: "https://github.com/a2aproject/a2a-js/blob/main/docs/migration-guide.md",
    keepsOlder:
      "Set `legacyCompat: { enabled: true }` on agentCardHandler, jsonRpcHandler and restHandler. List the 0.3 interfaces on the card: duplicateInterfacesForLegacy adds them. Webhooks of 0.3 clients need createLegacyAwarePushNotificationSender.",
    keepsOlderGrpc: "Over gRPC, add LegacyA2AService with legacyGrpcService to the server.",
    hints: [
      "Mount agentCardHandler, jsonRpcHandler and restHandler; A2AExpressApp is gone.",
      "Publish AgentEvent.task(…) before the first AgentEvent.statusUpdate(…).",
      "Enums are numbers: `TaskState.TASK_STATE_COMPLETED`, `Role.ROLE_AGENT`. Parts have `content: { $case, value }`.",
      "Node.js 20 or later.",
    ],
  },
  "a2a-go": {
    title: "A2A Go SDK",
    release: "github.com/a2aproject/a2a-go/v2",
    notes: "https://pkg.go.dev/github.com/a2aproject/a2a-go/v2/a2acompat/a2av0",
    keepsOlder: "Mount the handlers of a2acompat/a2av0 at addresses of their own, and list them as 0.3 interfaces.",
    keepsOlderGrpc: "Over gRPC, register the handler of a2agrpc/v0 on the server.",
    hints: ["Yield a2a.NewSubmittedTask before the first update."],
  },
  "a2a-java": {
    title: "A2A Java SDK",
    release: "org.a2aproject.sdk 1.0.0.Final or later",
    notes: "https://github.com/a2aproject/a2a-java/blob/main/docs/content/dev/compatibility.md",
    keepsOlder: "Depend on a2a-java-sdk-reference-multiversion-jsonrpc (or -rest), which serves both versions.",
    hints: ["Call emitter.addTask(task) before the first update."],
  },
};
