import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, jsonObjectIn, writtenText } from "@assay/protocol";
import { type Exchange, isLate, type RequestSpec } from "@assay/wire";
import { answerText, judged } from "../compare.ts";
import { type Ends, lastSegment, type Script } from "../ends.ts";
import { Meeting } from "../meeting.ts";
import type { Property } from "../property.ts";
import { idOf, requestOf, resultText, type TestedBinding, typeOf, unknownTask } from "../requests.ts";
import {
  broken,
  changed,
  type ExaminedProperty,
  type GatewayCall,
  notExamined,
  type PropertyVerdict,
  preserved,
  worst,
} from "../verdict.ts";

/** Requests whose method, path or query differs from those of other tests. */
function targets(through: string): RequestSpec[] {
  const { headers = [] } = unknownTask(through, "HTTP+JSON");
  const withBody = [...headers, ["Content-Type", typeOf("HTTP+JSON")]] as const;
  // Each request has ids of its own, because they tell it from late copies of the others.
  const task = (): string => `${through}/tasks/${randomUUID()}`;
  // Software that decodes a query and writes it again often turns a plus sign into a space.
  const query = `contextId=${randomUUID()}&pageSize=2&pageToken=a%2Bb%2F%3D%3D`;
  return [
    { method: "GET", url: `${task()}?historyLength=3`, headers },
    { method: "GET", url: `${through}/tasks?${query}`, headers },
    { method: "POST", url: `${task()}:cancel`, headers: withBody, body: Buffer.from("{}") },
    { method: "DELETE", url: `${task()}/pushNotificationConfigs/${randomUUID()}`, headers },
  ];
}

const ok: Script = (_request, reply) => reply.send(200, { "Content-Type": typeOf("HTTP+JSON") }, "{}");

/** Statuses of a server that does not know a method or an address. */
const unrouted = [404, 405, 501];

function judgeTarget(ends: Ends, { method, url }: RequestSpec, call: GatewayCall): ExaminedProperty {
  const operation = `${method} ${url.slice(ends.through.length).replace(/\?.*$/, "")}`;
  const status = call.client.http.response?.status ?? 0;
  if (call.agent.length === 0 && unrouted.includes(status))
    return {
      judgement: broken(
        `the gateway does not pass ${named(operation)} on`,
        {
          saw: `nothing: the gateway answers HTTP ${status} itself`,
          want: operation,
        },
        { part: "request" },
      ),
      passages: [call],
    };
  return judged(call, (arrived) => targetJudgement(ends.through, url, arrived));
}

/** "POST /tasks/<id>:cancel" */
const named = (operation: string): string => operation.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>");

/** A gateway may change the beginning of a path and the notation of a query, and add parameters. */
function targetJudgement(through: string, url: string, { http }: Exchange): PropertyVerdict {
  const [sent, seen] = [new URL(url), new URL(http.request.url)];
  const rest = sent.pathname.slice(new URL(through).pathname.replace(/\/$/, "").length);
  if (!decoded(seen.pathname).endsWith(decoded(rest)))
    return broken(
      "the gateway changes the path of a request",
      { saw: seen.pathname, want: `a path that ends with ${rest}` },
      { part: "request" },
    );
  const lost = [...sent.searchParams].find(([name, value]) => !seen.searchParams.getAll(name).includes(value));
  if (!lost) return preserved;
  const has = seen.searchParams.has(lost[0]);
  return broken(
    `the gateway ${has ? "changes" : "drops"} the query parameter ${lost[0]}`,
    { saw: seen.search || "no query", want: sent.search },
    { part: "request" },
  );
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Answers GetTask with this state. */
const inState =
  (binding: TestedBinding, id: string, state: string): Script =>
  async (request, reply) => {
    const task = JSON.stringify({ id, contextId: "c", status: { state } });
    reply.send(200, { "Content-Type": typeOf(binding) }, resultText(binding, idOf(await request.body()), task));
  };

const [working, completed] = ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"] as const;

/** An older state during this time is harmless, because clients ask again. */
const mostStaleSeconds = 5;

/** The number of requests at the same time. Even a small application sends as many. */
const concurrent = 10;

/** Returns the id of the task that a request asks for. */
function askedTask(url: string, body: Uint8Array): string | undefined {
  const { params } = jsonObjectIn(body) ?? {};
  return isObject(params) ? writtenText(params["id"]) : lastSegment(url);
}

export const routingProperties: readonly Property[] = [
  {
    id: "GW-REQUEST-TARGET",
    area: "delivery",
    on: "HTTP+JSON",
    title: "The gateway keeps the method, path and query of requests",
    breaks: "Requests are rejected, reach another operation, or lose their page and their filters.",
    remedy: "Route every method and path below the address of the agent, and pass the query on unchanged.",
    async examine(ends) {
      const examined: ExaminedProperty[] = [];
      for (const spec of targets(ends.through)) examined.push(judgeTarget(ends, spec, await ends.send(spec, ok)));
      const judgement = worst(examined.map((each) => each.judgement));
      return examined.find((each) => each.judgement === judgement)!;
    },
  },
  {
    id: "GW-ANSWER-FRESH",
    area: "delivery",
    title: "The gateway does not answer GetTask from a cache",
    breaks: "Clients that poll never see the end of a task.",
    remedy: "Do not cache responses of this route, except for the Agent Card.",
    async examine(ends, binding) {
      // A UUID would make the second request a late copy of the first one.
      const id = `gateway-test-${randomUUID().slice(0, 8)}`;
      const ask = (state: string): Promise<GatewayCall> =>
        ends.send(requestOf(ends.through, binding, "GetTask", { id }), inState(binding, id, state));
      const first = await ask(working);
      if (first.agent.length === 0 || !answerText(first.client).includes(working))
        return judged(first, () => notExamined("the gateway did not pass the task on"));
      for (let seconds = 0; ; seconds++) {
        const next = await ask(completed);
        const passages = [next];
        const text = answerText(next.client);
        if (text.includes(completed)) {
          const late = changed("the gateway answers GetTask from a cache for a few seconds");
          return { judgement: seconds === 0 ? preserved : late, passages };
        }
        if (!text.includes(working))
          return { judgement: notExamined("the gateway did not pass the task on again"), passages };
        if (seconds === mostStaleSeconds) {
          const lines = { saw: `${working}, ${seconds} s after the task was completed`, want: completed };
          return { judgement: broken("the gateway answers GetTask from a cache", lines), passages };
        }
        await sleep(1_000);
      }
    },
  },
  {
    id: "GW-REQUEST-CONCURRENT",
    area: "delivery",
    title: `The gateway passes ${concurrent} requests on at the same time`,
    breaks: "Clients wait for each other, or get the response of another client.",
    remedy: "Raise the limit for connections to the agent, and let no request wait for another.",
    async examine(ends, binding) {
      const specs = Array.from({ length: concurrent }, () => unknownTask(ends.through, binding));
      const meeting = new Meeting(ends, concurrent);
      const script: Script = async (request, reply) => {
        const body = await request.body();
        await meeting.join();
        const task = JSON.stringify({ id: askedTask(request.path, body), contextId: "c", status: { state: working } });
        reply.send(200, { "Content-Type": typeOf(binding) }, resultText(binding, idOf(body), task));
      };
      const calls = await ends.sendAll(specs, script, () => meeting.end());
      const tasks = calls.map(({ client: { http } }) => askedTask(http.request.url, http.request.body)!);
      const examined = calls.map((call, n) => concurrentJudgement(call, tasks[n]!, tasks));
      const judgement = worst(examined.map((each) => each.judgement));
      const found = examined.find((each) => each.judgement === judgement)!;
      if (judgement.is !== "preserved" || meeting.most === concurrent) return found;
      const lines = { saw: `${meeting.most} at once`, want: `${concurrent} at once` };
      return { ...found, judgement: broken("the gateway lets requests wait for each other", lines) };
    },
  },
];

/** Statuses of a gateway that limits its callers or the rate of requests. It is not broken. */
const limited = [401, 403, 429, 503];

function concurrentJudgement(call: GatewayCall, own: string, tasks: readonly string[]): ExaminedProperty {
  const { http, failure } = call.client;
  const passages = [call];
  if (http.response?.status === 200) {
    const text = answerText(call.client);
    if (text.includes(own)) return judged(call, () => preserved);
    const other = tasks.find((task) => text.includes(task));
    if (other === undefined) return { judgement: notExamined("the gateway replaces the ids of tasks"), passages };
    const lines = { saw: `the task ${other}`, want: `the task ${own}` };
    return { judgement: broken("the gateway mixes up responses", lines), passages };
  }
  // A slow gateway, or a slow machine.
  if (failure && isLate(failure)) return { judgement: notExamined(failure.message), passages };
  const saw = http.response ? `HTTP ${http.response.status}` : (failure?.message ?? "no response");
  if (limited.includes(http.response?.status ?? 0))
    return { judgement: notExamined(`the gateway limits requests: ${saw}`), passages };
  const lines = { saw, want: "HTTP 200, as the agent answers" };
  return { judgement: broken("the gateway fails requests that arrive at the same time", lines), passages };
}
