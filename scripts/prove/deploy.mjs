import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { root, run } from "../steps.mjs";

/**
 * Lints the Dockerfile and the manifests of deploy/kubernetes. Both linters are Python packages, installed once in
 * deploy/.venv.
 */
export async function lintDeployment() {
  const words = [join(root, "scripts/python.mjs"), "deploy", "deploy/.venv", "--required"];
  const made = spawnSync(process.execPath, words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (made.status !== 0) return { passed: 0, files: [], failing: [{ file: "the linters could not be installed" }] };
  const tools = dirname(made.stdout.trim());
  const manifests = readdirSync(join(root, "deploy/kubernetes")).map((file) => `deploy/kubernetes/${file}`);
  const lints = [
    ["Hadolint", "hadolint", ["--failure-threshold", "info", "Dockerfile"]],
    ["the schemas of Kubernetes", "kubernetes-validate", ["--strict", "--quiet", ...manifests]],
  ];
  const failing = [];
  for (const [title, tool, args] of lints)
    if (!(await run(title, join(tools, tool), args, { mayFail: true }))) failing.push({ file: title });
  return { passed: lints.length - failing.length, files: [], failing };
}
