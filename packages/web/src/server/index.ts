export type { AgentAccess, GatewayWish, Login, OfferedAgent, RunWish, TestbedDocument } from "@assay/viewer/documents";
export type { AgentWay } from "../api/talk/agent-way.ts";
export { ApiError } from "./api-error.ts";
export { exportSite } from "./export-site.ts";
export type { KeptFleets, KeptMatrices, KeptRuns, KnownRuns, Lab, StartedRun } from "./lab.ts";
export { serveUi, type UiServer } from "./serve.ts";
