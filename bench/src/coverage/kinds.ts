import { type PromptKind, promptKinds } from "@assay/suite";
import { anonymousAgent, driverServer, javascriptSdk, type RunningAgent } from "../running-agents.ts";

/** A kind of agent that Assay meets, and where to find one. */
export interface AgentKind {
  readonly name: string;
  /** what messages can make it do */
  readonly shows: readonly PromptKind[];
  start(): Promise<RunningAgent>;
}

/** An agent of the test bed as any agent. It has no skill that is known by its name either. */
const anonymous = (name: string, path: string, shows: readonly PromptKind[]): AgentKind => ({
  name,
  shows,
  start: () => anonymousAgent(path),
});

/** It has the skills of the test bed. */
const sdkServer = (name: string, start: () => Promise<RunningAgent>): AgentKind => ({
  name,
  shows: promptKinds,
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
  anonymous("moody", "variants/moody", ["task", "message", "stream", "slow", "inputRequired", "followUp"]),
];
