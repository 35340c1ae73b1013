// `npm run lint:deploy`: Hadolint reads the Dockerfile, and the manifests of deploy/kubernetes are held against the schemas of
// Kubernetes, strictly. Both linters are packages of Python, made once in deploy/.venv. Ends with `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./steps.mjs";

const made = spawnSync(process.execPath, [join(root, "scripts/python.mjs"), "deploy", "deploy/.venv", "--required"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (made.status !== 0) process.exit(1);
const tools = dirname(made.stdout.trim());
const manifests = readdirSync(join(root, "deploy/kubernetes")).map((file) => `deploy/kubernetes/${file}`);
const lints = [
  ["Hadolint", "hadolint", ["--failure-threshold", "info", "Dockerfile"]],
  ["the schemas of Kubernetes", "kubernetes-validate", ["--strict", "--quiet", ...manifests]],
];
let failed = 0;
for (const [title, tool, args] of lints) {
  const { status } = spawnSync(join(tools, tool), args, { cwd: root, stdio: "inherit" });
  process.stdout.write(`${title}: ${status === 0 ? "nothing to say" : "see above"}\n`);
  if (status !== 0) failed++;
}
process.stdout.write(`${lints.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
