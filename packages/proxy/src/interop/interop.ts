import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { extensionsHeader, isObject, isResting, type Message, type NormalisedCard, type Task } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import { isTestbed } from "@assay/suite";
import { type ConformanceReport, foldRun, type RunEvent } from "@assay/suite/report";
import {
  bindCredentials,
  cardTrouble,
  chooseInterface,
  createPeer,
  createPeerClients,
  discoverCard,
  type FoundCard,
  type HeaderPairs,
  type Peer,
  type PeerAnswer,
  type PeerClients,
  readFoundCard,
  type Secret,
} from "@assay/wire";
import { type JudgingProxyOptions, openProxy } from "../proxy.ts";
import type { PassedCall, Sight } from "../sight.ts";
import { type CommonGround, commonGround, type Direction } from "./common-ground.ts";

/** The result of one relayed message. */
type RelayOutcome =
  | { readonly is: "answered"; readonly text: string }
  | { readonly is: "failed"; readonly because: string };

const pollMs = { first: 100, most: 2_000 };

/** Sends a message to an agent and waits until its task is finished. */
async function say(peer: Peer, text: string, timeoutMs: number, signal?: AbortSignal): Promise<RelayOutcome> {
  const message: Message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] };
  const answer = await peer.call("SendMessage", { message }, signal);
  if (answer.is !== "value") return { is: "failed", because: troubleIn(answer) };
  const { message: said, task } = answer.value;
  if (said) return { is: "answered", text: textOf(said.parts) };
  const deadline = Date.now() + timeoutMs;
  let latest: Task = task!;
  for (let pause = pollMs.first; !isResting(latest.status.state); pause = Math.min(2 * pause, pollMs.most)) {
    if (Date.now() > deadline) return { is: "failed", because: `its task is still ${stateOf(latest)}` };
    await wait(pause, undefined, signal && { signal });
    const polled = await peer.call("GetTask", { id: latest.id }, signal);
    if (polled.is !== "value") return { is: "failed", because: troubleIn(polled) };
    latest = polled.value;
  }
  const { artifacts = [], status } = latest;
  const whole = textOf([...artifacts.flatMap(({ parts }) => parts), ...(status.message?.parts ?? [])]);
  return status.state === "TASK_STATE_COMPLETED"
    ? { is: "answered", text: whole }
    : { is: "failed", because: `its task is ${stateOf(latest)}${whole ? `: ${whole}` : ""}` };
}

const stateOf = ({ status }: Task): string => status.state.replace(/^TASK_STATE_/, "").toLowerCase();

const textOf = (parts: readonly { readonly text?: string }[]): string =>
  parts.flatMap(({ text }) => text ?? []).join("\n");

function troubleIn(answer: Exclude<PeerAnswer<unknown>, { is: "value" }>): string {
  switch (answer.is) {
    case "error":
      return `it returned an error: ${answer.error.message}`;
    case "malformed":
      return answer.because;
    case "invalid":
      return `its response violates the schema at ${answer.violations[0]?.path}`;
    case "failure":
      return answer.failure.message;
  }
}

/** Builds the message that makes an agent call another: from an address and the text to send there. */
type RelayPrompt = (url: string, text: string) => string;

/** Uses the operator's prompt with {url} and {text}, otherwise the skill `relay` of test bed agents. */
function relayOf(found: FoundCard, prompt: string | undefined): RelayPrompt | undefined {
  if (prompt !== undefined)
    return (url, text) => prompt.replaceAll("{url}", () => url).replaceAll("{text}", () => text);
  const { skills } = found.json;
  const ids = Array.isArray(skills) ? skills.flatMap((skill) => (isObject(skill) ? [skill["id"]] : [])) : [];
  // Keyword agents of the test bed understand more words than their cards list.
  const isKnown = ids.includes("relay") || (isTestbed(found) && ids.includes("task-lifecycle"));
  return isKnown ? (url, text) => `relay ${url} ${text}` : undefined;
}

/** One of the two agents. */
export interface InteropAgent {
  /** the agent, its card, or its host */
  readonly url: string;
  /** credentials, sent only to that address */
  readonly headers?: HeaderPairs;
  /** the prompt that makes it call another agent, with {url} and {text} (default: the skill `relay` of the test bed) */
  readonly relay?: string;
}

export interface InteropOptions {
  readonly a: InteropAgent;
  readonly b: InteropAgent;
  /** the version of Assay */
  readonly version: string;
  /** how to reach the agents, and which hosts are blocked */
  readonly connection: JudgingProxyOptions["connection"];
  readonly secrets?: readonly Secret[];
  /** where the proxies between the agents listen, and the name under which the agents reach them */
  readonly host: string;
  /** number of simultaneous messages in each direction */
  readonly atOnce?: number;
  /** the message that the agents exchange */
  readonly text?: string;
  /** timeout of one message in milliseconds */
  readonly taskTimeout?: number;
  /** prefix of exchange ids, if the run has other exchanges */
  readonly idPrefix?: string;
  readonly signal?: AbortSignal;
  /** called with the current step */
  onProgress?(text: string): void;
}

/** The result of one kind of message. */
export interface Exchanged {
  readonly how: "one after the other" | "at the same time";
  readonly sent: number;
  readonly answered: number;
  /** reasons for missing answers, each once */
  readonly because: readonly string[];
}

/** The traffic from clients of one agent to the other. */
export interface InteropDirection {
  readonly direction: Direction;
  readonly from: string;
  readonly to: string;
  /** why it was not tried */
  readonly untried?: string;
  readonly exchanged: readonly Exchanged[];
  readonly calls: readonly PassedCall[];
  /** the run of the proxy between them: `from` is its client, `to` its agent */
  readonly events: readonly RunEvent[];
  readonly report: ConformanceReport | undefined;
}

const understandings = ["yes", "no", "unknown"] as const;

/** The verdict whether a client of one agent can use the other, with reasons. */
export interface Understanding {
  readonly direction: Direction;
  readonly is: (typeof understandings)[number];
  readonly because: readonly string[];
}

export interface Interop {
  readonly a: { readonly name: string; readonly version: string; readonly url: string };
  readonly b: Interop["a"];
  readonly ground: CommonGround;
  readonly directions: readonly InteropDirection[];
  readonly understandings: readonly Understanding[];
}

interface Met {
  readonly agent: InteropAgent;
  readonly found: FoundCard;
  /** the card, read in the version that the agent speaks */
  readonly card: NormalisedCard;
  readonly clients: PeerClients;
}

const defaultText = "Reply with the word OK.";
const oneByOne = 2;

/** Lets two agents talk to each other in both directions, through proxies that judge the traffic. */
export async function interop(options: InteropOptions): Promise<Interop> {
  const a = await meet(options.a, options);
  const b = await meet(options.b, options).catch(async (error: unknown) => {
    await a.clients.close();
    throw error;
  });
  try {
    const ground = commonGround(a.card, b.card);
    const ways = [await openWay("a-to-b", a, b, options), await openWay("b-to-a", b, a, options)];
    for (const way of ways) {
      options.onProgress?.(`${way.from} → ${way.to}, one after the other`);
      await way.inTurn(oneByOne);
    }
    options.onProgress?.("both directions at once");
    await Promise.all(ways.map((way) => way.atOnce(options.atOnce ?? 4)));
    const directions = await Promise.all(ways.map((way) => way.end()));
    return {
      a: introduce(a),
      b: introduce(b),
      ground,
      directions,
      understandings: directions.map((each) => understanding(each, ground)),
    };
  } finally {
    await Promise.all([a.clients.close(), b.clients.close()]);
  }
}

const nameOf = ({ found: { json } }: Met): string => (typeof json["name"] === "string" ? json["name"] : "");

const introduce = (met: Met): Interop["a"] => {
  const { version } = met.found.json;
  return { name: nameOf(met), version: typeof version === "string" ? version : "", url: met.agent.url };
};

async function meet(agent: InteropAgent, { connection, signal }: InteropOptions): Promise<Met> {
  const { url, headers = [] } = agent;
  const clients = createPeerClients({ ...connection, credentials: bindCredentials({ named: [url], fields: headers }) });
  const search = await discoverCard(clients.http, url, headers, signal);
  if (search.found)
    return { agent, found: search.found, card: await readFoundCard(clients.http, search.found, headers), clients };
  await clients.close();
  throw new AssayError({ code: "agent-not-found", ...cardTrouble(url, search) });
}

/** The connection from clients of one agent to the other. */
interface Way {
  readonly from: string;
  readonly to: string;
  inTurn(count: number): Promise<void>;
  atOnce(count: number): Promise<void>;
  end(): Promise<InteropDirection>;
}

async function openWay(direction: Direction, from: Met, to: Met, options: InteropOptions): Promise<Way> {
  const names = { from: nameOf(from), to: nameOf(to) };
  const relay = relayOf(from.found, from.agent.relay);
  const peer = relay && peerOf(from);
  if (!relay || !peer) {
    const untried = relay
      ? "Assay supports none of the interfaces on its card"
      : `${names.from || from.agent.url} has no skill "relay", and no prompt that makes it call another agent was given`;
    const nothing = async (): Promise<void> => {};
    const end = async () => ({ direction, ...names, untried, exchanged: [], calls: [], events: [], report: undefined });
    return { ...names, inTurn: nothing, atOnce: nothing, end };
  }
  const events: RunEvent[] = [];
  const calls: PassedCall[] = [];
  const proxy = await openProxy({
    url: to.agent.url,
    card: to.found.url,
    host: options.host,
    port: 0,
    run: `interop ${direction}`,
    version: options.version,
    connection: options.connection,
    ...(to.agent.headers && { headers: to.agent.headers }),
    ...(options.secrets && { secrets: options.secrets }),
    idPrefix: `${options.idPrefix ?? ""}${direction}-`,
    record: (event) => events.push(event),
    show: (sight: Sight) => {
      if (sight.is === "call") calls.push(sight);
    },
  });
  const exchanged: Tally[] = [];
  const { text = defaultText, taskTimeout = 60_000, signal } = options;
  const ask = (): Promise<RelayOutcome> => say(peer, relay(proxy.url, text), taskTimeout, signal);
  return {
    ...names,
    async inTurn(count) {
      const told: RelayOutcome[] = [];
      for (let n = 0; n < count; n++) told.push(await ask());
      exchanged.push(tallied("one after the other", told));
    },
    async atOnce(count) {
      exchanged.push(tallied("at the same time", await Promise.all(Array.from({ length: count }, ask))));
    },
    async end() {
      await proxy.close();
      return {
        direction,
        ...names,
        exchanged: answeredByOther(exchanged, calls),
        calls,
        events,
        report: foldRun(events),
      };
    },
  };
}

function peerOf({ agent: { headers = [] }, found, card: { card, interfaces }, clients }: Met): Peer | undefined {
  const chosen = chooseInterface(interfaces, {}, found.url);
  const required = (card?.capabilities?.extensions ?? [])
    .filter((each) => each.required)
    .flatMap(({ uri }) => uri ?? []);
  const declared: HeaderPairs = required.length ? [[extensionsHeader, required.join(", ")]] : [];
  return chosen && createPeer(clients, chosen, [...headers, ...declared]);
}

interface Tally extends Exchanged {
  /** the texts of the answers, each once */
  readonly texts: readonly string[];
}

const tallied = (how: Exchanged["how"], told: readonly RelayOutcome[]): Tally => ({
  texts: [...new Set(told.flatMap((each) => (each.is === "answered" ? [each.text] : [])))],
  how,
  sent: told.length,
  answered: told.filter(({ is }) => is === "answered").length,
  because: [...new Set(told.flatMap((each) => (each.is === "failed" ? [each.because] : [])))],
});

/**
 * Counts only answers that the other agent gave. An agent may also complete its task with an excuse ("I could not reach
 * it"), which shows on the wire: the other agent accepted fewer messages. Without a recorded call nothing is corrected.
 */
function answeredByOther(tallies: readonly Tally[], calls: readonly PassedCall[]): readonly Exchanged[] {
  let left = calls.some(({ over }) => over)
    ? calls.filter(({ accepted }) => accepted).length
    : Number.POSITIVE_INFINITY;
  return tallies.map(({ texts, ...tally }) => {
    const answered = Math.min(tally.answered, left);
    left -= answered;
    if (answered === tally.answered) return tally;
    const excuse = `the other agent answered only ${answered}; the relaying agent says: ${texts.join("; ").slice(0, 200)}`;
    return { ...tally, answered, because: [...tally.because, excuse] };
  });
}

/** Decides by the traffic, or by the cards if there was none. */
function understanding(way: InteropDirection, { obstacles }: CommonGround): Understanding {
  const { direction, untried, exchanged, calls, report, from, to } = way;
  const onCards = obstacles[direction];
  if (untried !== undefined)
    return { direction, is: onCards.length ? "no" : "unknown", because: [...onCards, `not tried: ${untried}`] };
  const broken = brokenIn(report, { from, to });
  const silent = exchanged.filter(({ sent, answered }) => answered < sent);
  const lost = silent.flatMap(
    ({ how, sent, answered, because }) => `${how}: ${answered} of ${sent} were answered (${because.join("; ")})`,
  );
  const asked = calls.some(({ over }) => over !== undefined);
  const mixed = mixedIn(calls);
  const because = [
    ...broken,
    ...lost,
    ...mixed,
    ...(asked ? [] : [`no call from ${from || "the agent"} reached ${to || "the other agent"}`]),
  ];
  if (because.length === 0) return { direction, is: "yes", because: [overWhat(calls)] };
  return {
    direction,
    is: asked || onCards.length ? "no" : "unknown",
    because: [...(asked ? [] : onCards), ...because],
  };
}

/** Returns the failures of both parties in the traffic. */
function brokenIn(report: ConformanceReport | undefined, { from, to }: { from: string; to: string }): string[] {
  const failed = Object.values(report?.categories ?? {})
    .flat()
    .filter(({ verdict, disputed }) => verdict === "fail" && !disputed);
  return failed.map(
    ({ test, message, title, party }) =>
      `${party === "client" ? from || "the client" : to || "the agent"}: ${message ?? title} (${test})`,
  );
}

/** Finds messages that each started something new but were answered with the same task. */
export function mixedIn(calls: readonly PassedCall[]): string[] {
  const begun = calls.flatMap(({ begins }) => begins ?? []);
  const twice = begun.filter((task, index) => begun.indexOf(task) !== index);
  return twice.length ? [`two messages were answered with the same task (${[...new Set(twice)].join(", ")})`] : [];
}

function overWhat(calls: readonly PassedCall[]): string {
  const places = calls.flatMap(({ over }) => (over ? [`${over.dialect} over ${over.binding}`] : []));
  return `they spoke ${[...new Set(places)].join(" and ")}`;
}
