import type { AgentDefinition } from "../agent.ts";
import { acknowledgement, provenance, timing } from "../extensions.ts";
import { adminStatus } from "../skills/admin-status.ts";
import { echo } from "../skills/echo.ts";
import { coreSkills, moreSkills } from "../skills/index.ts";
import { messageOnly } from "../skills/message-only.ts";
import { taskLifecycle } from "../skills/task-lifecycle.ts";

const extended = { token: "agentbin-test-token", skills: [adminStatus] };

const echoAgent: AgentDefinition = {
  path: "echo",
  name: "Echo Agent",
  description: "Answers every message with its own text, as a direct message. No tasks, no streaming, no push.",
  skills: [echo],
  only: echo,
  streaming: false,
  push: false,
};

const specAgent: AgentDefinition = {
  path: "spec",
  name: "Spec Agent",
  description: "Shows every interaction pattern of A2A; the first word of the message chooses one.",
  skills: coreSkills,
  unlisted: moreSkills,
  streaming: true,
  push: false,
  extended,
};

const fullAgent: AgentDefinition = {
  path: "full",
  name: "Full Agent",
  description: "Every optional capability on: push notifications, extended and signed card, extensions, tenants.",
  skills: [...coreSkills, ...moreSkills],
  streaming: true,
  push: true,
  extensions: [timing, provenance],
  tenants: ["north", "south"],
  signed: true,
  extended,
};

const strictAgent: AgentDefinition = {
  ...fullAgent,
  path: "strict",
  name: "Strict Agent",
  description: "The full agent, with an extension that every client has to declare.",
  extensions: [acknowledgement, timing, provenance],
};

const minimalAgent: AgentDefinition = {
  path: "minimal",
  name: "Minimal Agent",
  description: "Every optional capability off: what a client must be able to live with.",
  skills: [messageOnly, taskLifecycle],
  streaming: false,
  push: false,
};

/** All agents of the test bed, in the order they are shown. The first with that path owns it. */
export const agents: readonly AgentDefinition[] = [specAgent, echoAgent, fullAgent, strictAgent, minimalAgent];
