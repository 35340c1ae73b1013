import { existsSync } from "node:fs";
import { join } from "node:path";

/** Inputs that are a flag of `assay test`, as they are. */
const flags = {
  start: "--start",
  config: "--config",
  agent: "--agent",
  depth: "--depth",
  baseline: "--baseline",
  "fail-on": "--fail-on",
  "require-level": "--require-level",
  "min-examined": "--min-examined",
};

/** The reports that are left for the steps after this one, by format. */
const reports = {
  json: "report.json",
  html: "report.html",
  junit: "report.xml",
  sarif: "report.sarif",
  badge: "badge.svg",
};

/**
 * Returns what to run and what to add to its environment. `build` says whether the code of `repository`, the checkout of
 * this action, has to be built first. Secrets are passed in variables of their own: every process of the machine can read
 * an argument.
 */
export function invocationOf(env, folder, { repository, node }) {
  const input = (name) => (env[`INPUT_${name.toUpperCase().replaceAll("-", "_")}`] ?? "").trim();
  const build = !input("command") && !input("version");
  const [command, ...before] = input("command")
    ? input("command").split(/\s+/)
    : build
      ? [node, join(repository, "packages/cli/bin/assay.js")]
      : ["npx", "--yes", `a2a-assay@${input("version")}`];
  const secrets = secretsIn(input);
  return {
    build,
    command,
    args: [
      ...before,
      "test",
      ...Object.entries(flags).flatMap(([name, flag]) => (input(name) ? [flag, input(name)] : [])),
      // The first job has no earlier report.
      ...(existsSync(input("since")) ? ["--since", input("since")] : []),
      ...secrets.flatMap(({ args }) => args),
      ...input("args")
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
      ...["--report", "github"],
      ...Object.entries(reports).flatMap(([format, file]) => ["--report", `${format}=${folder}/${file}`]),
      // An address after `--` is never read as a flag.
      ...(input("url") ? ["--", input("url")] : []),
    ],
    env: Object.fromEntries(secrets.map(({ variable, value }) => [variable, value])),
  };
}

/** A secret that is given as env:NAME or @file is one that the caller has put in its place already. */
const isElsewhere = (secret) => /^(env:|@)/.test(secret);

function secretsIn(input) {
  const found = [
    { flag: "--bearer", variable: "ASSAY_ACTION_BEARER", ...parted(input("bearer")) },
    { flag: "--api-key", variable: "ASSAY_ACTION_API_KEY", ...parted(input("api-key"), "=") },
    { flag: "--basic", variable: "ASSAY_ACTION_BASIC", ...parted(input("basic"), ":") },
  ];
  return found
    .filter(({ value }) => value !== "")
    .map(({ flag, variable, open, value }) =>
      isElsewhere(value)
        ? { variable, value: "", args: [flag, `${open}${value}`] }
        : { variable, value, args: [flag, `${open}env:${variable}`] },
    );
}

/** "name=secret": what is open, up to the sign, and what is secret. */
function parted(text, sign) {
  const at = sign === undefined ? -1 : text.indexOf(sign);
  return { open: text.slice(0, at + 1), value: text.slice(at + 1) };
}
