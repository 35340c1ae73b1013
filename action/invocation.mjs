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
 * What to run, and what to add to its environment. Secrets are handed on in variables of their own: an argument can be
 * read by every process of the machine.
 */
export function invocationOf(env, folder) {
  const input = (name) => (env[`INPUT_${name.toUpperCase().replaceAll("-", "_")}`] ?? "").trim();
  const [command, ...before] = input("command")
    ? input("command").split(/\s+/)
    : ["npx", "--yes", `assay@${input("version") || "latest"}`];
  const secrets = secretsIn(input);
  return {
    command,
    args: [
      ...before,
      "test",
      ...Object.entries(flags).flatMap(([name, flag]) => (input(name) ? [flag, input(name)] : [])),
      ...secrets.flatMap(({ args }) => args),
      ...input("args")
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
      ...["--report", "github"],
      ...Object.entries(reports).flatMap(([format, file]) => ["--report", `${format}=${folder}/${file}`]),
      // Behind `--` an address cannot be taken for a flag.
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
