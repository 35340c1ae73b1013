import { type PromptKind, promptKinds } from "@assay/suite";
import { anonymousAgent, driverServer, javascriptSdk, type RunningAgent } from "../running-agents.ts";

/** A kind of agent that Assay tests, and how to start one. */
export interface AgentKind {
  readonly name: string;
  /** behaviours that messages can trigger */
  readonly shows: readonly PromptKind[];
  /** Measured only with `--long`. */
  readonly isLong?: boolean;
  start(): Promise<RunningAgent>;
}

/**
 * Returns an agent of the test bed without the header by which Assay recognises it. It has no skill with a known name.
 */
const anonymous = (name: string, path: string, shows: readonly PromptKind[]): AgentKind => ({
  name,
  shows,
  start: () => anonymousAgent(path),
});

/** Returns a server with the skills of the test bed. The benchmark of runs uses the same servers. */
const sdkServer = (name: string, start: () => Promise<RunningAgent>): AgentKind => ({
  name,
  shows: promptKinds,
  isLong: true,
  start,
});

export const kinds: readonly AgentKind[] = [
  anonymous("messages only", "echo", ["message"]),
  anonymous("short tasks", "variants/short-tasks", ["task", "stream"]),
  anonymous("long tasks", "variants/long-tasks", ["task", "stream", "slow"]),
  anonymous("asks back", "variants/asks-back", ["task", "stream", "inputRequired", "followUp"]),
  anonymous("push", "variants/notifies", ["task", "stream", "slow"]),
  sdkServer("JavaScript SDK", javascriptSdk),
  sdkServer("Python SDK", () => driverServer("a2a-python")),
  {
    ...anonymous("moody", "variants/moody", ["task", "message", "stream", "slow", "inputRequired", "followUp"]),
    isLong: true,
  },
];
