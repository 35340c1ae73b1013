import type { AgentDefinition } from "../definition/agent.ts";

/** The path of the authorisation pages below the address of the test bed. */
export const authorisationPath = "/authorise";

/** Returns the page of a task. Its URL is not secret, because the caller of the task must log in there. */
export function authorisationUrl(baseUrl: string, { path }: AgentDefinition, tenant: string, taskId: string): string {
  const query = tenant === "" ? "" : `?tenant=${encodeURIComponent(tenant)}`;
  return `${baseUrl}${authorisationPath}/${path}/${encodeURIComponent(taskId)}${query}`;
}

/** Reads the agent and the task from the path of such a page. */
export function readAuthorisationPath(path: string): { readonly agent: string; readonly taskId: string } | undefined {
  const [, agent = "", task = ""] = /^\/authorise\/(.+)\/([^/]+)$/.exec(path) ?? [];
  try {
    return agent === "" ? undefined : { agent, taskId: decodeURIComponent(task) };
  } catch {
    return undefined;
  }
}
