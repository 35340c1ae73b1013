import type { AgentDefinition } from "../definition/agent.ts";

/** Where the pages are on which users authorise tasks, below the address of the test bed. */
export const authorisationPath = "/authorise";

/** The page of a task. Its name is no secret: who comes there has to log in as the caller whose task it is. */
export function authorisationUrl(baseUrl: string, { path }: AgentDefinition, tenant: string, taskId: string): string {
  const query = tenant === "" ? "" : `?tenant=${encodeURIComponent(tenant)}`;
  return `${baseUrl}${authorisationPath}/${path}/${encodeURIComponent(taskId)}${query}`;
}

/** What the path of such a page says: the agent and the task. */
export function readAuthorisationPath(path: string): { readonly agent: string; readonly taskId: string } | undefined {
  const [, agent = "", task = ""] = /^\/authorise\/(.+)\/([^/]+)$/.exec(path) ?? [];
  try {
    return agent === "" ? undefined : { agent, taskId: decodeURIComponent(task) };
  } catch {
    return undefined;
  }
}
