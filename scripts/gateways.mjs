// Gateways for the tests of `assay gateway`. As root on Debian it installs those that Debian has; elsewhere it prints
// the command, and in CI on Linux a missing gateway is a failure. Gateways from PyPI get their own environments, only
// for the long form of the proof.
import { spawnSync } from "node:child_process";
import { aptInstall } from "./apt.mjs";
import { missingTool } from "./missing-tool.mjs";
import { pythonsReady } from "./python.mjs";

const gateways = [
  { title: "nginx", name: "nginx", look: "-v" },
  { title: "HAProxy", name: "haproxy", look: "-v" },
  { title: "Caddy", name: "caddy", look: "version" },
  { title: "Apache httpd", name: "apache2", look: "-v" },
];

/** Installs a gateway if that is possible. If it is missing and required, the process ends. */
async function gatewayReady({ title, name, look }) {
  const isThere = () => spawnSync(name, [look]).status === 0;
  if (isThere() || ((await aptInstall(title, name)) && isThere())) return true;
  missingTool(
    `There is no ${title}. Install it (Debian, Ubuntu: apt install ${name}).`,
    "Its tests as a gateway are skipped.",
  );
  return false;
}

export const nginxReady = () => gatewayReady(gateways[0]);

/** Prepares LiteLLM and ContextForge, which have hundreds of packages and take minutes to install. */
export const pythonGatewaysReady = () =>
  pythonsReady(["litellm", "contextforge"].map((name) => [`e2e/gateway/${name}`, `e2e/gateway/${name}/.venv`]));

export const gatewaysReady = async () => (await Promise.all(gateways.map(gatewayReady))).every(Boolean);
