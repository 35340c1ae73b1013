import { createHash } from "node:crypto";
import type { TestOptions } from "@assay/suite";
import {
  bindCredentials,
  createMasker,
  createPeerClients,
  discoverCard,
  type FoundCard,
  type HttpClient,
} from "@assay/wire";
import type { ClassReason } from "../classes/agent-class.ts";
import { builtWithOf } from "../classes/built-with.ts";
import { type ClassFinding, cardTroubleOf } from "../classes/card-trouble.ts";
import { withCertificate } from "../classes/client-certificate.ts";
import { reasonOf } from "../classes/reason-of.ts";
import { reasons } from "../classes/reasons.ts";
import { answerOf } from "../classes/seen-answer.ts";
import type { Examination, FleetJob } from "./examination.ts";
import { knock } from "./knock.ts";
import { keepsOut } from "./robots.ts";

/** The operator's settings for one agent, with its credentials resolved. */
export type ExamineOptions = Omit<TestOptions, "depth" | "budget" | "maxTime" | "warmUp" | "goneAfter" | "found">;

/** Maximum size of a robots.txt; files written by people are shorter. */
const mostRobots = 512 * 1024;

/**
 * Examines one agent: reads its robots.txt and its card, then runs the suite at the depth that the list requests. It is
 * meant for a separate process, and never throws because of the agent.
 */
export async function examine(job: FleetJob, options: ExamineOptions): Promise<Examination> {
  const startedAt = performance.now();
  const mask = createMasker(options.secrets ?? []);
  const credentials = bindCredentials({
    named: [options.url, ...(options.card === undefined ? [] : [options.card])],
    ...(options.trustHosts && { trustHosts: options.trustHosts }),
    fields: options.headers ?? [],
    secrets: (options.secrets ?? []).map(({ value }) => value),
  });
  const clients = createPeerClients({ ...options.connection, credentials });
  const { http } = clients;
  const concluded = (trouble: ClassFinding, more: Partial<Examination> = {}, detail?: string): Examination => {
    const { class: named, mayPass = false } = reasons[trouble.code];
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
    const card = seenOf(found);
    if (isSame(job, card)) return concluded({ code: "unchanged" }, { ...card, unchanged: true });
    const silence = job.agent.depth === "card" && !job.agent.mayMessage ? undefined : await knock(found, way);
    if (silence) return concluded(withCertificate(silence, found.json), card);
    // The suite is large, and most agents of a fleet are already classified here.
    const { examined } = await import("./run-suite.ts");
    return await examined(job, options, found, (trouble, more, detail) =>
      concluded(trouble, { ...card, ...more }, detail),
    );
  } finally {
    await clients.close();
  }
}

/** Returns the finding if the host's operator excludes Assay. An unreadable robots.txt excludes nothing. */
async function optOut(http: HttpClient, { url, signal }: ExamineOptions): Promise<ClassFinding | undefined> {
  const { origin, pathname, search } = new URL(url);
  const exchange = await http.request({ method: "GET", url: `${origin}/robots.txt`, followRedirects: 3 }, signal);
  const { response } = exchange.http;
  if (exchange.failure || response?.status !== 200 || response.body.length > mostRobots) return undefined;
  const robots = Buffer.from(response.body).toString("utf8");
  return keepsOut(robots, `${pathname}${search}`) ? { code: "opt-out-robots", answer: answerOf(exchange) } : undefined;
}

/** Returns facts about the card as received, because digests depend on its exact bytes. */
function seenOf({ exchange }: FoundCard): Pick<Examination, "builtWith"> & { readonly cardDigest: string } {
  const body = exchange.http.response?.body ?? "";
  const builtWith = builtWithOf(answerOf(exchange));
  return { cardDigest: createHash("sha256").update(body).digest("hex"), ...(builtWith && { builtWith }) };
}

/** Returns true for an agent that was examined recently and whose card is unchanged. */
const isSame = ({ agent, before }: FleetJob, { cardDigest }: { cardDigest: string }): boolean =>
  agent.notBefore !== undefined && before?.cardDigest === cardDigest && Date.now() - before.at < agent.notBefore;
