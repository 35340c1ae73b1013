import { isObject } from "@assay/protocol";
import { isTestbed } from "@assay/suite";
import { foldRun, type RunEvent } from "@assay/suite/report";
import { createMasker, type FoundCard, type Masker } from "@assay/wire";
import { type OpenProxy, openProxy } from "../proxy.ts";
import type { PassedCall, Sight } from "../sight.ts";
import { type CanceledAcross, cancelAcross } from "./cancel-across.ts";
import type { Direction } from "./common-ground.ts";
import type { Exchanged, InteropDirection, InteropOptions } from "./interop.ts";
import { type MetAgent, nameOf, peerOf } from "./met-agent.ts";
import { type AgentCaller, type RelayOutcome, say } from "./say.ts";

const defaultText = "Reply with the word OK.";
/** Limit for each step of a cancel. Polling clients look at a task every few seconds. */
const cancelMs = 10_000;

/** The connection from clients of one agent to the other. */
export interface Way {
  readonly from: string;
  readonly to: string;
  inTurn(count: number): Promise<void>;
  atOnce(count: number): Promise<void>;
  /** Cancels a task while the other agent works for it. */
  cancel(): Promise<void>;
  end(): Promise<InteropDirection>;
}

/** The client of a direction, and the message that it sends to get `text` across. */
interface Voice {
  readonly caller: AgentCaller;
  says(url: string, text: string): string;
  readonly standIn?: string;
}

export async function openWay(
  direction: Direction,
  from: MetAgent,
  to: MetAgent,
  options: InteropOptions,
): Promise<Way> {
  const names = { from: nameOf(from), to: nameOf(to) };
  const events: RunEvent[] = [];
  const calls: PassedCall[] = [];
  const crossing = { calls, begun: 0 };
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
    begun: ({ method }) => {
      if (method === "POST") crossing.begun += 1;
    },
    show: (sight: Sight) => {
      if (sight.is === "call") calls.push(sight);
    },
  });
  const voice = await voiceOf(from, to, proxy, options).catch(async (error: unknown) => {
    await proxy.close();
    return String(error instanceof Error ? error.message : error);
  });
  if (typeof voice === "string") {
    await proxy.close();
    return untriedWay({ direction, ...names, untried: voice });
  }
  const exchanged: Tally[] = [];
  let canceled: CanceledAcross | undefined;
  const { text = defaultText, taskTimeout = 60_000, signal } = options;
  const { caller, standIn } = voice;
  const masker = createMasker(options.secrets ?? []);
  const ask = (): Promise<RelayOutcome> => say(caller, voice.says(proxy.url, text), taskTimeout, signal);
  return {
    ...names,
    async inTurn(count) {
      const told: RelayOutcome[] = [];
      for (let n = 0; n < count; n++) told.push(await ask());
      exchanged.push(tallied("one after the other", told, masker));
    },
    async atOnce(count) {
      exchanged.push(tallied("at the same time", await Promise.all(Array.from({ length: count }, ask)), masker));
    },
    async cancel() {
      const slow = to.agent.slow ?? (hasSkill(to.found, "task-cancel") ? "task-cancel" : undefined);
      const timeoutMs = Math.min(cancelMs, taskTimeout);
      const because =
        standIn !== undefined
          ? `${standIn} stands in for ${names.from || "the agent"}, so no agent can pass the cancellation on`
          : `${names.to || "the other agent"} has no known prompt for slow work (prompts.slow)`;
      canceled =
        standIn !== undefined || slow === undefined
          ? { is: "untried", because }
          : await cancelAcross(caller, { text: voice.says(proxy.url, slow), crossing, timeoutMs, signal });
    },
    async end() {
      await proxy.close();
      const untried = calls.some(({ over }) => over)
        ? undefined
        : unreached(exchanged, standIn ?? (names.from || "the agent"), options.host);
      return {
        direction,
        ...names,
        ...(untried !== undefined && { untried }),
        ...(standIn !== undefined && { standIn }),
        exchanged: answeredByOther(exchanged, calls),
        ...(canceled && { canceled: masker.value(canceled) }),
        calls,
        events,
        report: foldRun(events),
      };
    },
  };
}

/** Returns the client that makes the calls, or why there is none. */
async function voiceOf(
  from: MetAgent,
  to: MetAgent,
  { url }: OpenProxy,
  { standIn }: InteropOptions,
): Promise<Voice | string> {
  const relay = relayOf(from.found, from.agent.relay);
  const peer = relay && peerOf(from);
  if (relay && peer) return { caller: peer, says: relay };
  if (relay) return "Assay supports none of the interfaces on its card";
  if (!standIn)
    return `${nameOf(from) || from.agent.url} has no skill "relay". Give it a prompt that makes it call another agent (relay in assay.yaml), or use assay interop, which has a stand-in`;
  const { headers = [] } = to.agent;
  const caller = await standIn.connect({ url, interfaces: to.card.interfaces, headers });
  return { caller, says: (_url, text) => text, standIn: standIn.title };
}

function untriedWay(way: Pick<InteropDirection, "direction" | "from" | "to" | "untried">): Way {
  const nothing = async (): Promise<void> => {};
  const end = async () => ({ ...way, exchanged: [], calls: [], events: [], report: undefined });
  return { ...way, inTurn: nothing, atOnce: nothing, cancel: nothing, end };
}

/** Builds the message that makes an agent call another: from an address and the text to send there. */
type RelayPrompt = (url: string, text: string) => string;

/** Uses the operator's prompt with {url} and {text}, otherwise the skill `relay` of test bed agents. */
function relayOf(found: FoundCard, prompt: string | undefined): RelayPrompt | undefined {
  if (prompt !== undefined)
    return (url, text) => prompt.replaceAll("{url}", () => url).replaceAll("{text}", () => text);
  return hasSkill(found, "relay") ? (url, text) => `relay ${url} ${text}` : undefined;
}

/** Looks for a skill of the test bed. Its keyword agents understand more words than their cards list. */
function hasSkill(found: FoundCard, id: string): boolean {
  const { skills } = found.json;
  const ids = Array.isArray(skills) ? skills.flatMap((skill) => (isObject(skill) ? [skill["id"]] : [])) : [];
  return ids.includes(id) || (isTestbed(found) && ids.includes("task-lifecycle"));
}

interface Tally extends Exchanged {
  /** the texts of the answers, each once */
  readonly texts: readonly string[];
}

/** Masks the texts of agents here, because a secret that is cut later would no longer be found. */
const tallied = (how: Exchanged["how"], told: readonly RelayOutcome[], masker: Masker): Tally => ({
  texts: [...new Set(told.flatMap((each) => (each.is === "answered" ? [masker.text(each.text)] : [])))],
  how,
  sent: told.length,
  answered: told.filter(({ is }) => is === "answered").length,
  because: [...new Set(told.flatMap((each) => (each.is === "failed" ? [masker.text(each.because)] : [])))],
});

/** Explains why the messages show nothing about the two agents: no call crossed, so neither of them is at fault. */
function unreached(tallies: readonly Tally[], client: string, host: string): string {
  const said = [...new Set(tallies.flatMap(({ because, texts }) => [...because, ...texts]))].join("; ").slice(0, 200);
  return `no call from ${client} reached the proxy on ${host}${said && ` (it says: ${said})`}`;
}

/**
 * Counts only answers that the other agent gave. An agent may also complete its task with an excuse ("I could not reach
 * it"), which shows on the wire: the other agent accepted fewer messages.
 */
function answeredByOther(tallies: readonly Tally[], calls: readonly PassedCall[]): readonly Exchanged[] {
  let left = calls.filter(({ accepted }) => accepted).length;
  return tallies.map(({ texts, ...tally }) => {
    const answered = Math.min(tally.answered, left);
    left -= answered;
    if (answered === tally.answered) return tally;
    const excuse = `the other agent answered only ${answered}; the relaying agent says: ${texts.join("; ").slice(0, 200)}`;
    return { ...tally, answered, because: [...tally.because, excuse] };
  });
}
