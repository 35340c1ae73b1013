import { createHash } from "node:crypto";
import { boundCredentials, type TestOptions, testAgent } from "@assay/suite";
import { resultsOf } from "@assay/suite/report";
import { createMasker, createPeerClients, discoverCard, type FoundCard, type HttpClient } from "@assay/wire";
import type { ClassReason } from "../classes/agent-class.ts";
import { builtWithOf } from "../classes/built-with.ts";
import { cardTroubleOf, type Trouble } from "../classes/card-trouble.ts";
import { classOfRun, firstBreach, reasonOf } from "../classes/classify.ts";
import { contactRule } from "../classes/interface-finding.ts";
import { reasonRow } from "../classes/reasons.ts";
import { RunFacts } from "../classes/run-facts.ts";
import { answerOf } from "../classes/seen-answer.ts";
import type { Examination, FleetJob } from "./examination.ts";
import { knock } from "./knock.ts";
import { keepsOut } from "./robots.ts";

/** How one agent is reached and asked: what the operator said, with the credentials of this agent read. */
export type ExamineOptions = Omit<TestOptions, "depth" | "budget" | "maxTime" | "warmUp" | "goneAfter">;

/** How long an interface may be silent before the sweep leaves it for later. */
const patienceMs = 3_000;

/** No file of rules that a person wrote is longer. */
const mostRobots = 512 * 1024;

/**
 * Looks at one agent: whether it wants to be looked at, its card, and then what a run of the suite shows at the depth that
 * the list asks for. It is meant for a process of its own, and throws for nothing that the agent does.
 */
export async function examine(job: FleetJob, options: ExamineOptions): Promise<Examination> {
  const startedAt = performance.now();
  const mask = createMasker(options.secrets ?? []);
  const credentials = boundCredentials(options);
  const clients = createPeerClients({ ...options.connection, credentials });
  const { http } = clients;
  const concluded = (trouble: Trouble, more: Partial<Examination> = {}, detail?: string): Examination => {
    const { class: named, mayPass = false } = reasonRow(trouble.code);
    const reason = mask.value(reasonOf(trouble, detail)) as ClassReason;
    return { class: named, reason, mayPass, duration_ms: Math.round(performance.now() - startedAt), ...more };
  };
  const way = { clients, credentials, headers: options.headers ?? [], signal: options.signal };
  try {
    const robots = await optOut(http, options);
    if (robots) return concluded(robots);
    const search = await discoverCard(http, options.card ?? options.url, options.headers ?? [], options.signal);
    const { found } = search;
    if (!found) {
      const trouble = cardTroubleOf(search);
      const isLogin = trouble.code === "card-login" && job.agent.login !== undefined;
      return concluded(isLogin ? { ...trouble, code: "login-not-accepted" } : trouble);
    }
    const card = digestOf(found);
    if (isSame(job, card)) return concluded({ code: "conformant" }, { ...card, unchanged: true });
    const silence = job.agent.depth === "card" && !job.agent.mayMessage ? undefined : await knock(found, way);
    if (silence) return concluded(silence, card);
    return await examined(job, options, found, (trouble, more, detail) =>
      concluded(trouble, { ...card, ...more }, detail),
    );
  } finally {
    await clients.close();
  }
}

/** Whether the operator of the host asks us to keep out; where that cannot be read, nothing is asked of us. */
async function optOut(http: HttpClient, { url, signal }: ExamineOptions): Promise<Trouble | undefined> {
  const { origin, pathname, search } = new URL(url);
  const exchange = await http.request({ method: "GET", url: `${origin}/robots.txt`, followRedirects: 3 }, signal);
  const { response } = exchange.http;
  if (exchange.failure || response?.status !== 200 || response.body.length > mostRobots) return undefined;
  const robots = Buffer.from(response.body).toString("utf8");
  return keepsOut(robots, `${pathname}${search}`) ? { code: "opt-out-robots", answer: answerOf(exchange) } : undefined;
}

/** The card as it came: what is signed, compared and kept is its bytes. */
const digestOf = ({ exchange }: FoundCard): { cardDigest: string } => ({
  cardDigest: createHash("sha256")
    .update(exchange.http.response?.body ?? "")
    .digest("hex"),
});

/** An agent that was examined recently, and whose card is the same, is left alone. */
const isSame = ({ agent, before }: FleetJob, { cardDigest }: { cardDigest: string }): boolean =>
  agent.notBefore !== undefined && before?.cardDigest === cardDigest && Date.now() - before.at < agent.notBefore;

async function examined(
  { agent }: FleetJob,
  options: ExamineOptions,
  found: FoundCard,
  concluded: (trouble: Trouble, more: Partial<Examination>, detail?: string) => Examination,
): Promise<Examination> {
  const wanted = asked(agent);
  let facts = await factsFrom({ ...options, ...wanted });
  // Where something else answers, what makes that certain may count as a message: then it is found out without one.
  if (wanted.budget === 1 && isUnpaid(facts)) facts = await factsFrom({ ...options, ...wanted, depth: "free" });
  const report = facts.reportWithEvidence();
  const trouble = classOfRun(facts, { card: found.json, hasLogin: agent.login !== undefined });
  const builtWith = builtWithOf(found, facts);
  const breach = report.outcome === "not-conformant" ? firstBreach(report) : undefined;
  return concluded(trouble, { report, ...(builtWith && { builtWith }) }, breach);
}

async function factsFrom(options: TestOptions): Promise<RunFacts> {
  const facts = new RunFacts();
  for await (const event of testAgent(options)) facts.take(event);
  return facts;
}

/** The first contact could not be finished, for want of messages. */
const isUnpaid = ({ report }: RunFacts): boolean =>
  resultsOf(report).some(({ test, unexamined }) => test === contactRule && unexamined === "budget");

/** What is asked of the agent: a message that is allowed at a depth without any is one plain message, and no more. */
function asked({ depth, mayMessage, deadline }: FleetJob["agent"]): Partial<TestOptions> {
  const isSilent = depth === "card" || depth === "free";
  return {
    ...(isSilent && mayMessage ? { depth: "quick", budget: 1 } : { depth: isSilent || mayMessage ? depth : "free" }),
    ...(deadline !== undefined && { maxTime: deadline }),
    // Its card is there: one that is starting up, or down for a moment, is tried again by the sweep.
    warmUp: 0,
    goneAfter: patienceMs,
  };
}
