import type { DialectVersion } from "@assay/protocol";
import { conventions } from "../conventions/index.ts";
import { pageOfV01 } from "../conventions/page-v0.1.ts";
import { tokenHolders } from "../definition/access.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import { acknowledgement, provenance, timing } from "../definition/extensions.ts";
import { callersWithKeys } from "../identity/secure-access.ts";
import { secureCallers } from "../identity/secure-callers.ts";
import { adminStatus } from "../skills/admin-status.ts";
import { authElsewhere } from "../skills/auth-elsewhere.ts";
import { echo } from "../skills/echo.ts";
import { breakdowns, coreSkills, moreSkills } from "../skills/index.ts";
import { messageOnly } from "../skills/message-only.ts";
import { taskLifecycle } from "../skills/task-lifecycle.ts";

const extended = { access: tokenHolders("agentbin-test-token", "extended card"), skills: [adminStatus] };

const echoAgent: AgentDefinition = {
  path: "echo",
  name: "Echo Agent",
  description: "Replies to every message with its own text, as a direct message. No tasks, no streaming, no push.",
  skills: [echo],
  only: echo,
  streaming: false,
  push: false,
  dialects: ["1.0", "0.3"],
};

const specAgent: AgentDefinition = {
  path: "spec",
  name: "Spec Agent",
  description: "Shows every interaction pattern of A2A. The first word of the message selects one.",
  skills: coreSkills,
  unlisted: [...moreSkills, ...breakdowns],
  streaming: true,
  push: false,
  extended,
  dialects: ["1.0", "0.3"],
  conventions,
};

/** The spec agent as an agent of an older version. */
const olderSpec = (version: "0.3" | "0.2" | "0.1", path: string): AgentDefinition => ({
  path,
  name: `Spec Agent ${version}`,
  description: `Shows every interaction pattern of A2A ${version} and supports no newer version.`,
  skills: coreSkills,
  unlisted: [...moreSkills, ...breakdowns],
  streaming: true,
  push: true,
  dialects: [version],
  ...(version === "0.3" ? { extended } : {}),
  ...(version === "0.1" ? { conventions: [pageOfV01] } : {}),
});

/** The spec agent as an agent of the draft of 1.1, which clients of 1.0 can use as well. */
const spec11: AgentDefinition = {
  ...specAgent,
  path: "spec11",
  name: "Spec Agent 1.1",
  description: "Shows every interaction pattern of A2A 1.1 (draft): tasks and events have a generation.",
  push: true,
  dialects: ["1.0"],
  later: ["1.1"],
  habits: { generation: true },
};

const fullAgent: AgentDefinition = {
  path: "full",
  name: "Full Agent",
  description: "Has every optional capability: push notifications, extended and signed card, extensions, tenants.",
  skills: [...coreSkills, ...moreSkills],
  unlisted: breakdowns,
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
  description: "The full agent, with an extension that every client must declare.",
  extensions: [acknowledgement, timing, provenance],
};

const minimalAgent: AgentDefinition = {
  path: "minimal",
  name: "Minimal Agent",
  description: "Has no optional capability. Every client must be able to work with it.",
  skills: [messageOnly, taskLifecycle],
  streaming: false,
  push: false,
};

const secureAgent: AgentDefinition = {
  path: "secure",
  name: "Secure Agent",
  description:
    "Requires credentials: API key, Basic, Bearer, OAuth or a client certificate. Each caller sees only its own tasks.",
  skills: [...coreSkills, ...moreSkills, authElsewhere],
  unlisted: breakdowns,
  streaming: true,
  push: true,
  extended: { skills: [adminStatus] },
  dialects: ["1.0", "0.3"],
  access: callersWithKeys(secureCallers),
};

/** All agents of the test bed, in display order. The first with a path owns it. */
export const agents: readonly AgentDefinition[] = [
  specAgent,
  echoAgent,
  fullAgent,
  strictAgent,
  minimalAgent,
  secureAgent,
  spec11,
  olderSpec("0.3", "spec03"),
  olderSpec("0.2", "spec02"),
  olderSpec("0.1", "spec01"),
];

/**
 * The agents that are reached without a name: at the root of the site, and over gRPC by version on the shared
 * port.
 */
export interface HomeAgents {
  readonly root: string;
  readonly grpc: Partial<Record<DialectVersion, string>>;
}

export const homes: HomeAgents = { root: "spec", grpc: { "1.0": "spec", "0.3": "spec03" } };
