import { A2AError, type Task } from "@assay/protocol/core";
import type { WireReply, WireRequest } from "@assay/wire/server";
import { scopeOf, type TaskCall } from "../definition/call.ts";
import type { UserDecision } from "../definition/skill.ts";
import { escapeHtml, pageHeaders } from "../identity/html.ts";
import { callerAccount } from "./admission.ts";
import { readAuthorisationPath } from "./authorisation-url.ts";
import { asProtocolError, errorHeaders } from "./failure.ts";
import type { Site } from "./router.ts";
import type { ServedAgent } from "./served-agent.ts";

const decisions: Readonly<Record<string, UserDecision>> = { authorise: "given", decline: "declined" };

/**
 * Serves the page on which a user authorises a task outside A2A (§7.6.1). The caller of the task logs in with
 * its agent credentials, and the task then continues by itself.
 */
export async function serveAuthorisation(
  site: Site,
  request: WireRequest,
  reply: WireReply,
  baseUrl: string,
): Promise<void> {
  const place = readAuthorisationPath(request.path);
  if (place && site.directory.awaits(place.agent)) await site.directory.families();
  const host = place && site.directory.get(place.agent);
  try {
    if (!place || !host) throw new A2AError("TaskNotFound", "Task not found");
    const call = await callFrom(request, host);
    const task = await host.engine.get({ id: place.taskId }, call);
    if (request.method !== "POST") return show(reply, 200, questionPage(task));
    // A page of another origin must not decide for a user whose browser stores the password.
    const { origin } = request.headers;
    if (origin !== undefined && origin !== new URL(baseUrl).origin)
      throw new A2AError("PermissionDenied", "The decision must come from this page");
    const decision = decisions[new URLSearchParams((await request.body()).toString()).get("decision") ?? ""];
    if (!decision) throw new A2AError("InvalidParams", "decision must be authorise or decline");
    await host.engine.authorise(place.taskId, decision, call);
    show(reply, 200, page("Thank you", `<p>It is ${decision}. The task continues by itself.</p>`));
  } catch (thrown) {
    const error = asProtocolError(thrown, site.report);
    const refused = host && {
      agent: host.definition,
      authorization: request.headers.authorization,
      operation: undefined,
    };
    const headers = errorHeaders(error, refused);
    show(reply, error.numbers().http, page("This did not work", `<p>${escapeHtml(error.message)}</p>`), headers);
  }
}

/** The user needs the same permission as a client that sends a message to the task. */
async function callFrom(request: WireRequest, { admission, definition }: ServedAgent): Promise<TaskCall> {
  const caller = await admission.authenticate(request, definition);
  admission.authorize(caller, "SendMessage", definition);
  const tenant = admission.tenant(new URLSearchParams(request.query).get("tenant") ?? "", definition);
  const account = callerAccount(caller, request.remoteAddress);
  return { scope: scopeOf(definition, tenant, caller), account, extensions: [] };
}

const show = (reply: WireReply, status: number, html: string, headers: Readonly<Record<string, string>> = {}): void =>
  reply.send(status, { ...pageHeaders, ...headers }, html);

function questionPage({ id, status, history = [] }: Task): string {
  if (status.state !== "TASK_STATE_AUTH_REQUIRED")
    return page("Nothing to decide", `<p>Task ${escapeHtml(id)} is not waiting for an authorisation.</p>`);
  const asked = history[0]?.parts.map(({ text }) => text ?? "").join(" ") ?? "";
  return page(
    "May the agent do this?",
    `<blockquote>${escapeHtml(asked.slice(0, 500))}</blockquote>
  <form method="post">
    <button name="decision" value="authorise">Authorise</button>
    <button name="decision" value="decline">Decline</button>
  </form>`,
  );
}

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} · Assay test bed</title></head>
<body>
  <h1>${title}</h1>
  ${body}
</body>
</html>
`;
