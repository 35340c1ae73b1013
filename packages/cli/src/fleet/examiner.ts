import { isSea } from "node:sea";
import { type Examiner, type FleetJob, type HandlerOptions, processExaminer, unexamined } from "@assay/fleet";
import type { AgentLogins } from "./agent-logins.ts";
import type { ExaminationWay } from "./examination-way.ts";
import type { ExaminerFlags } from "./examiner-flags.ts";

/** The variables that every process needs: for the network, and for Node itself. */
const common = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "TZ"],
];

/** The extra time after the deadline of an examination before its process is killed. */
const endingMs = 30_000;

/**
 * The number of agents that one process examines. Starting a process costs as much as two runs, and a limit bounds the
 * damage of a bad one.
 */
const agentsPerProcess = 50;

/**
 * Examines agents in child processes, which run this program again. The operator's process chooses the login of each
 * agent. Relative paths in a login are relative to `folder`.
 */
export function examinerFor(
  flags: ExaminerFlags,
  logins: AgentLogins,
  folder = ".",
): Pick<HandlerOptions, "examine" | "attempts" | "pause" | "longest"> {
  const deadline = flags.deadline * 1_000;
  const inProcess = processExaminer(
    {
      file: process.execPath,
      flags: process.execArgv.filter((flag) => !flag.startsWith("--max-old-space-size")),
      // The single-file executable needs no script.
      args: [...(isSea() ? [] : [process.argv[1]!]), "examine-agents", JSON.stringify(wayOf(flags, folder))],
      env: variables(common),
    },
    secretsOf,
    { memory: flags.maxMemory, deadline, agents: agentsPerProcess },
  );
  const examine: Examiner = async (job, signal) => {
    const decided = await logins(job.agent);
    if ("refused" in decided) return unexamined("credential-missing", 0, decided.refused);
    const { login: _, ...agent } = job.agent;
    return inProcess({ ...job, agent: { ...agent, ...decided } }, signal);
  };
  return { examine, attempts: flags.attempts, pause: flags.retryPause * 1_000, longest: deadline + endingMs };
}

/** Omits settings without a value. */
function wayOf(
  { contact, allowHosts, allowPrivate, trustHosts, ca, timeout, rate }: ExaminerFlags,
  folder: string,
): ExaminationWay {
  const given = { contact, allowHosts, allowPrivate, trustHosts, ca, timeout, rate, folder };
  return JSON.parse(JSON.stringify(given)) as ExaminationWay;
}

/** Returns the secrets of an agent for its own process only, or undefined if it has none. */
export function secretsOf({ agent: { url, card = url, login } }: FleetJob): NodeJS.ProcessEnv | undefined {
  if (login === undefined && !mayHoldSecret(url) && !mayHoldSecret(card)) return undefined;
  const named = Object.values(login ?? {}).flatMap((text) => /(?:^|[:=])env:(\w+)$/.exec(text)?.[1] ?? []);
  const oauth = login?.oauthClient === undefined ? [] : ["ASSAY_OAUTH_SECRET"];
  return variables([...named, ...oauth]);
}

const mayHoldSecret = (address: string): boolean => /[@?]/.test(address);

const variables = (names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
