export type { AgentAccess, Login, RunWish } from "../api/runs/documents.ts";
export type { AgentWay } from "../api/talk/agent-way.ts";
export type { TestbedDocument } from "../api/testbed/documents.ts";
export { ApiError } from "./api-error.ts";
export { exportSite } from "./export-site.ts";
export type { KeptMatrices, KeptRuns, KnownRuns, Lab, StartedRun } from "./lab.ts";
export { serveUi, type UiServer } from "./serve.ts";
