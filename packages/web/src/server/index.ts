export type { AgentAccess, Login, RunWish } from "../api/runs/documents.ts";
export type { AgentWay } from "../api/talk/agent-way.ts";
export { ApiError } from "./api-error.ts";
export type { KeptRuns, Lab, RunningTestbed, StartedRun } from "./lab.ts";
export { PageNotBuilt } from "./page-files.ts";
export { serveUi, type UiServer } from "./serve.ts";
