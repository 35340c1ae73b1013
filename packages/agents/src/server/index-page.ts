import type { AgentDefinition } from "../definition/agent.ts";
import { escapeHtml } from "../identity/html.ts";
import { secureCallers } from "../identity/secure-callers.ts";
import type { Families } from "./agent-directory.ts";

/** The page for people who open the test bed in a browser. */
export function indexPage(agents: readonly AgentDefinition[], families: Families, baseUrl: string): string {
  const base = escapeHtml(baseUrl);
  const rows = agents.map(
    ({ path, name, dialects = ["1.0"], description }) => `
      <tr>
        <th scope="row"><a href="/${path}">/${path}</a></th>
        <td>${dialects.join(", ")}</td>
        <td><strong>${escapeHtml(name)}</strong><br>${escapeHtml(description)}</td>
      </tr>`,
  );
  const words = [...new Set(agents.flatMap(({ skills }) => skills.map(({ id }) => id)))];
  const credentials = secureCallers.map(
    ({ name, token, apiKey, password, clientSecret }) => `
      <tr><th scope="row">${name}</th><td><code>${token}</code></td><td><code>${apiKey}</code></td><td><code>${name}:${password}</code></td><td><code>${name}:${clientSecret}</code></td></tr>`,
  );
  const counts = Object.entries(families).map(
    ([family, members]) => `<a href="/${family}">/${family}</a> (${members.length})`,
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
    table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; }
    th, td { text-align: left; vertical-align: top; padding: .5rem .8rem; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
    thead th { border-top: 0; font-weight: 600; }
    h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
    code { font: .85em ui-monospace, monospace; padding: .1em .35em; border-radius: .3em; background: color-mix(in srgb, currentColor 8%, transparent); white-space: nowrap; }
    pre { padding: 1rem; border-radius: .5rem; overflow-x: auto; background: color-mix(in srgb, currentColor 8%, transparent); font: .85em/1.5 ui-monospace, monospace; }
  </style>
</head>
<body>
  <h1>Assay test bed</h1>
  <p>A2A agents with known behaviour, over JSON-RPC, HTTP+JSON and gRPC on this one port. Each name links to the agent's card.</p>
  <table>
    <thead><tr><th scope="col">Agent</th><th scope="col">Versions</th><th scope="col">Purpose</th></tr></thead>
    <tbody>${rows.join("")}
    </tbody>
  </table>
  <h2>Skills</h2>
  <p>The first word of a message selects the skill: ${words.map((id) => `<code>${escapeHtml(id)}</code>`).join(" ")}</p>
  <h2>Wrong or odd on purpose</h2>
  <p>${counts.join(" · ")}: each mutant breaks one rule, and each variant is unusual within the rules.</p>
  <h2>Credentials for /secure</h2>
  <table>
    <thead><tr><th scope="col">Name</th><th scope="col">Bearer</th><th scope="col">X-API-Key</th><th scope="col">Basic</th><th scope="col">OAuth client, at /oidc/token</th></tr></thead>
    <tbody>${credentials.join("")}
    </tbody>
  </table>
  <h2>Try it</h2>
  <pre>curl -s ${base}/echo -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"hello"}]}}}'</pre>
  <p><a href="/health">health</a> · <a href="/metrics">metrics</a></p>
</body>
</html>
`;
}
