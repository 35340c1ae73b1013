import { createHash } from "node:crypto";
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

/** How much longer than its deadline an examination may last until its process is gone. */
const endingMs = 30_000;

/**
 * Examines every agent in a process of its own, which is this program once more. Which login it is given is decided here, in the process
 * of the operator; relative paths in it are meant from `folder`.
 */
export function examinerFor(
  flags: ExaminerFlags,
  logins: AgentLogins,
  folder = ".",
): Pick<HandlerOptions, "examine" | "attempts" | "pause" | "longest"> {
  const deadline = flags.deadline * 1_000;
  const inProcess = processExaminer(
    (job) => ({
      file: process.execPath,
      flags: process.execArgv.filter((flag) => !flag.startsWith("--max-old-space-size")),
      args: [process.argv[1]!, "examine-agent", JSON.stringify(wayOf(job, flags, folder))],
      env: environmentFor(job),
    }),
    { memory: flags.maxMemory, deadline },
  );
  const examine: Examiner = async (job, signal) => {
    const decided = await logins(job.agent);
    if ("refused" in decided) return unexamined("credential-missing", 0, decided.refused);
    const { login: _, ...agent } = job.agent;
    return inProcess({ ...job, agent: { ...agent, ...decided } }, signal);
  };
  return { examine, attempts: flags.attempts, pause: flags.retryPause * 1_000, longest: deadline + endingMs };
}

function wayOf(
  job: FleetJob,
  { contact, allowHosts, allowPrivate, trustHosts, ca, timeout, rate }: ExaminerFlags,
  folder: string,
): ExaminationWay {
  const given = { contact, allowHosts, allowPrivate, trustHosts, ca, timeout, rate, folder };
  return { run: runName(job), ...(JSON.parse(JSON.stringify(given)) as Omit<ExaminationWay, "run">) };
}

/** The same for one agent of one sweep, and as long as any other: a run is found by the beginning of its name, too. */
const runName = ({ sweep, agent }: FleetJob): string =>
  `${sweep}-${createHash("sha256").update(agent.name).digest("hex").slice(0, 16)}`;

/** An examination is given the secrets of its own agent, and no others. */
export function environmentFor({ agent: { login = {} } }: FleetJob): NodeJS.ProcessEnv {
  const named = Object.values(login).flatMap((text) => /(?:^|[:=])env:(\w+)$/.exec(text)?.[1] ?? []);
  const oauth = login.oauthClient === undefined ? [] : ["ASSAY_OAUTH_SECRET"];
  const names = [...common, ...named, ...oauth];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
