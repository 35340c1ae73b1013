import type { AgentDefinition } from "../agent.ts";

/** The page for people who open the test bed in a browser. */
export function indexPage(agents: readonly AgentDefinition[], baseUrl: string): string {
  const base = escapeHtml(baseUrl);
  const rows = agents.map(
    ({ path, name, description, skills }) => `
      <tr>
        <th scope="row"><a href="/${path}/.well-known/agent-card.json">/${path}</a></th>
        <td><strong>${escapeHtml(name)}</strong><br>${escapeHtml(description)}</td>
        <td>${skills.map(({ id }) => `<code>${escapeHtml(id)}</code>`).join(" ")}</td>
      </tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Assay test bed</title>
  <style>
    :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
    body { max-width: 64rem; margin: 3rem auto; padding: 0 1.5rem; }
    table { border-collapse: collapse; width: 100%; margin: 1.5rem 0; }
    th, td { text-align: left; vertical-align: top; padding: .6rem .8rem; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
    thead th { border-top: 0; font-weight: 600; }
    td:last-child { max-width: 24rem; }
    code { font: .85em ui-monospace, monospace; padding: .1em .35em; border-radius: .3em; background: color-mix(in srgb, currentColor 8%, transparent); white-space: nowrap; }
    pre { padding: 1rem; border-radius: .5rem; overflow-x: auto; background: color-mix(in srgb, currentColor 8%, transparent); font: .85em/1.5 ui-monospace, monospace; }
  </style>
</head>
<body>
  <h1>Assay test bed</h1>
  <p>A2A 1.0 agents with known behaviour, over JSON-RPC and HTTP+JSON. The first word of a message chooses what happens.</p>
  <table>
    <thead><tr><th scope="col">Agent</th><th scope="col">What it is for</th><th scope="col">Skills</th></tr></thead>
    <tbody>${rows.join("")}
    </tbody>
  </table>
  <p>Try it:</p>
  <pre>curl -s ${base}/echo -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"hello"}]}}}'</pre>
  <p><a href="/.well-known/agent-card.json">Agent card of /spec</a> · <a href="/health">health</a> · <a href="/metrics">metrics</a></p>
</body>
</html>
`;
}

const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
