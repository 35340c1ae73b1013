/** The MCP server: the lab for coding agents. */
export type { McpOperator } from "./operator.ts";
export { type ServedMcp, serveMcp } from "./serve-mcp.ts";
