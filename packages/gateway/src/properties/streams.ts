import { setTimeout as sleep } from "node:timers/promises";
import type { Exchange, HeaderPairs, RequestSpec } from "@assay/wire";
import type { WireReply, WireRequest } from "@assay/wire/server";
import { answerText, judged, judgedJson, judgedResponse } from "../compare.ts";
import type { Ends, Script, StreamWatch } from "../ends.ts";
import { Meeting } from "../meeting.ts";
import type { Property } from "../property.ts";
import {
  idOf,
  messageOf,
  olderMessageOf,
  requestOf,
  resultText,
  type TestedBinding,
  type TestedVersion,
  testedBindings,
} from "../requests.ts";
import { broken, changed, type GatewayCall, notExamined, type PropertyVerdict, preserved, worst } from "../verdict.ts";

/** Writes the n-th event of a stream. */
type WriteEvent = (n: number, filler?: string) => void;

/** Plays a stream in place of the agent. It ends when the function returns. */
export const playing =
  (
    binding: TestedBinding,
    play: (write: WriteEvent, reply: WireReply, request: WireRequest) => Promise<void> | void,
    version: TestedVersion = "1.0",
  ): Script =>
  async (request, reply) => {
    const id = idOf(await request.body());
    const { raw } = reply;
    // Omits X-Accel-Buffering, which most agents do not send.
    raw.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    const write: WriteEvent = (n, filler) => {
      const metadata = { n, ...(filler !== undefined && { filler }) };
      const task = { taskId: "t", contextId: "c", metadata };
      const update =
        version === "0.3" && binding === "JSONRPC"
          ? { kind: "status-update", ...task, status: { state: "working" }, final: false }
          : { statusUpdate: { ...task, status: { state: "TASK_STATE_WORKING" } } };
      raw.write(`data: ${resultText(binding, id, JSON.stringify(update))}\n\n`);
    };
    await play(write, reply, request);
    raw.end();
  };

export function streamOf(ends: Ends, binding: TestedBinding, more?: HeaderPairs, version?: TestedVersion): RequestSpec {
  const text = "gateway stream";
  const message = version === "0.3" ? olderMessageOf(binding, text) : messageOf(text);
  return requestOf(ends.through, binding, "SendStreamingMessage", message, more, version);
}

const eventTexts = ({ http }: Exchange): string[] => (http.sse?.events ?? []).map(({ data }) => data);

/** Compares the events of a stream. A stream that the gateway cut has fewer. */
export function sameEvents(agent: Exchange, client: Exchange, count: number): PropertyVerdict {
  const status = client.http.response?.status;
  if (status !== 200)
    return broken(
      "the gateway does not pass the stream on",
      {
        saw: status === undefined ? (client.failure?.message ?? "no response") : `HTTP ${status}`,
        want: "HTTP 200 with text/event-stream",
      },
      { part: "response", status: true },
    );
  const [sent, seen] = [eventTexts(agent), eventTexts(client)];
  const dropped = client.http.sse?.eventsDropped ?? 0;
  const arrived = seen.length + dropped;
  const isSame = (data: string, n: number): boolean => judgedJson("", sent[n] ?? data, data).is !== "broken";
  const first = seen.findIndex((data, n) => !isSame(data, n));
  const want = `${count} events`;
  if (arrived < count)
    return broken(
      first < 0 ? "the gateway cuts the stream" : "the gateway drops events of the stream",
      { saw: `${arrived} events${client.failure ? `, then: ${client.failure.message}` : ""}`, want },
      { part: "response", place: { event: first < 0 ? arrived : first } },
    );
  if (arrived > count) {
    const isRepeated = seen.slice(count).every((data) => sent.includes(data));
    return broken(
      isRepeated ? "the gateway repeats events of the stream" : "the gateway adds events to the stream",
      { saw: `${arrived} events`, want },
      { part: "response", place: { event: first < 0 ? count : first } },
    );
  }
  // The recording of either end may lack the last events of a long stream.
  return worst(
    seen
      .slice(0, sent.length)
      .map((data, n) =>
        judgedResponse(`event ${n + 1}`, sent[n]!, data, client, { part: "response", place: { event: n } }),
      ),
  );
}

/** Property of a scripted stream whose events have to arrive unchanged. */
const wholeStream = (
  property: Omit<Property, "area" | "examine">,
  count: number,
  play: (write: WriteEvent, reply: WireReply, request: WireRequest) => Promise<void> | void,
  judgeMore: (client: Exchange) => PropertyVerdict = () => preserved,
): Property => ({
  ...property,
  area: "streams",
  async examine(ends, binding, version) {
    const passage = await ends.stream(streamOf(ends, binding, [], version), playing(binding, play, version));
    return judged(passage, (agent, client) => worst([sameEvents(agent, client, count), judgeMore(client)]));
  },
});

/** Longer than any network or busy machine delays an event. */
export const patienceMs = 10_000;
const pacedEvents = 3;
const concurrent = 50;
const idleMs = 70_000;

const idle = new WeakMap<Ends, Promise<ReadonlyMap<TestedBinding, GatewayCall>>>();

/** Opens a silent stream on every binding at the same time, once for each gateway. */
function idleStreams(ends: Ends): Promise<ReadonlyMap<TestedBinding, GatewayCall>> {
  const known = idle.get(ends) ?? openIdleStreams(ends);
  idle.set(ends, known);
  return known;
}

async function openIdleStreams(ends: Ends): Promise<ReadonlyMap<TestedBinding, GatewayCall>> {
  const specs = testedBindings.map((binding) => streamOf(ends, binding));
  const calls = await ends.streams(specs, (request, reply) =>
    playing(request.path.endsWith("/message:stream") ? "HTTP+JSON" : "JSONRPC", async (write, _, { signal }) => {
      write(0);
      await sleep(idleMs, undefined, { signal });
      write(1);
    })(request, reply),
  );
  return new Map(testedBindings.map((binding, n) => [binding, calls[n]!]));
}

export const closedBefore = "the gateway closed the stream to the agent before the client disconnected";

/** Property of a stream whose events have to arrive as they happen. */
const paced = (
  property: Omit<Property, "area" | "examine">,
  open: (ends: Ends, spec: RequestSpec, script: Script, watch: StreamWatch) => Promise<GatewayCall>,
): Property => ({
  ...property,
  area: "streams",
  needsStream: true,
  async examine(ends, binding) {
    let arrived = 0;
    let isTimely = true;
    const passage = await open(
      ends,
      streamOf(ends, binding),
      playing(binding, async (write, _, { signal }) => {
        for (let n = 0; n < pacedEvents; n++) {
          // A gateway that cuts streams early has time to do it.
          if (n === pacedEvents - 1) await sleep(1_500, undefined, { signal });
          write(n);
          isTimely &&= await ends.waitFor(() => arrived > n || signal.aborted, patienceMs);
        }
      }),
      { onEvent: () => arrived++ },
    );
    return judged(passage, (agent, client) => {
      // Events that never arrive are lost, not late.
      const whole = sameEvents(agent, client, pacedEvents);
      if (isTimely || whole.is === "broken") return whole;
      return broken("the gateway holds events back until the stream ends", {
        saw: `an event that arrived only after the end of the stream, over ${patienceMs / 1_000} s after the agent sent it`,
        want: "each event as soon as the agent sends it",
      });
    });
  },
});

export const streamProperties: readonly Property[] = [
  paced(
    {
      id: "GW-STREAM-TIMING",
      title: "The gateway passes events on as they happen",
      breaks: "Clients see nothing until the task has ended, and run into timeouts.",
      rule: "STREAM-001",
      remedy: "Disable response buffering for this route.",
    },
    (ends, ...stream) => ends.stream(...stream),
  ),
  wholeStream(
    {
      id: "GW-STREAM-EVENTS",
      older: true,
      title: "The gateway keeps every event of a stream",
      breaks: "Clients miss states and artifacts of a task.",
      remedy: "Pass event streams on as bytes.",
    },
    3,
    async (write) => {
      write(0);
      write(1);
      await sleep(50);
      write(2);
    },
  ),
  wholeStream(
    {
      id: "GW-STREAM-BIG-EVENT",
      needsStream: true,
      title: "The gateway passes events of 96 kB on",
      breaks: "Artifacts with files are lost or cut.",
      remedy: "Raise the limit for lines and events of streams to 1 MB or more.",
    },
    3,
    (write) => {
      write(0);
      write(1, "x".repeat(96 * 1024));
      write(2);
    },
  ),
  wholeStream(
    {
      id: "GW-STREAM-COMMENTS",
      needsStream: true,
      title: "The gateway passes keep-alive comments and retry lines on",
      breaks: "Clients and proxies behind the gateway close a stream that seems idle.",
      remedy: "Pass event streams on as bytes, with comments and retry lines.",
    },
    2,
    (write, { raw }) => {
      raw.write(": keep-alive\n\nretry: 5000\n\n");
      write(0);
      raw.write(": keep-alive\n\n");
      write(1);
    },
    (client) => {
      if ((client.http.sse?.comments ?? 0) < 2) return changed("the gateway removes comments from streams");
      const hasRetry = /^retry: ?5000\r?$/m.test(answerText(client));
      return hasRetry ? preserved : changed("the gateway removes retry lines from streams");
    },
  ),
  paced(
    {
      id: "GW-STREAM-HTTP2",
      needs: "a gateway that offers HTTP/2 to clients",
      title: "The gateway passes events on as they happen over HTTP/2",
      breaks: "Clients that use HTTP/2 see nothing until the task has ended.",
      rule: "STREAM-001",
      remedy: "Disable response buffering for HTTP/2, too.",
    },
    (ends, ...stream) => ends.streamOverHttp2(...stream),
  ),
  {
    id: "GW-STREAM-DISCONNECT",
    area: "streams",
    needsStream: true,
    title: "A client's disconnect reaches the agent",
    breaks: "The agent keeps a stream open for each client that left, until it runs out of connections.",
    remedy: "Close the connection to the agent when the client disconnects.",
    async examine(ends, binding) {
      const leave = new AbortController();
      let isNoticed = false;
      let isClosedBefore = false;
      const passage = await ends.stream(
        streamOf(ends, binding),
        playing(binding, async (write, _, { signal }) => {
          for (let n = 0; n < 5; n++) write(n);
          // A gateway that holds events back may still pass a disconnect on.
          await ends.waitFor(() => leave.signal.aborted || signal.aborted, 1_000);
          isClosedBefore = !leave.signal.aborted && signal.aborted;
          leave.abort();
          // Gateways that read nothing from a client notice only with the next event.
          const more = setInterval(() => write(5), 200);
          isNoticed = await ends.waitFor(() => signal.aborted, patienceMs).finally(() => clearInterval(more));
        }),
        { onEvent: () => leave.abort(), leave: leave.signal },
      );
      return judged(passage, (_, { http: { response } }) => {
        if (response && response.status !== 200) return notExamined(`the gateway answered HTTP ${response.status}`);
        if (isClosedBefore) return notExamined(closedBefore);
        return isNoticed
          ? preserved
          : broken("the agent is not told that the client disconnected", {
              saw: "the stream to the agent stays open",
              want: `a closed connection within ${patienceMs / 1_000} s`,
            });
      });
    },
  },
  {
    ...wholeStream(
      {
        id: "GW-STREAM-MANY-EVENTS",
        needsStream: true,
        title: "The gateway passes 1,000 events of one stream on",
        breaks: "Long answers are cut.",
        remedy: "Raise or remove the limit for the length of responses.",
      },
      1_000,
      (write) => {
        for (let n = 0; n < 1_000; n++) write(n);
      },
    ),
    heavy: true,
  },
  {
    id: "GW-STREAM-CONCURRENT",
    area: "streams",
    needsStream: true,
    title: "The gateway passes 50 streams at the same time on",
    breaks: "Further clients wait until others have finished.",
    remedy: "Raise the limit for connections to the agent.",
    heavy: true,
    async examine(ends, binding) {
      const specs = Array.from({ length: concurrent }, () => streamOf(ends, binding));
      const meeting = new Meeting(ends, concurrent);
      const calls = await ends.streams(
        specs,
        playing(binding, async (write) => {
          write(0);
          await meeting.join();
          write(1);
        }),
      );
      const cut = calls.filter(({ client }) => eventTexts(client).length < 2);
      const passages = cut.slice(0, 1);
      const want = `${concurrent} complete streams`;
      const { most } = meeting;
      if (most === 0) return { judgement: notExamined("no stream reached the agent"), passages: calls.slice(0, 1) };
      if (most < concurrent)
        return {
          judgement: broken("the gateway does not pass 50 streams on at once", { saw: `${most} at once`, want }),
          passages,
        };
      if (cut.length === 0) return { judgement: preserved, passages };
      const saw = `${concurrent - cut.length} complete streams`;
      return { judgement: broken("the gateway cuts some of 50 streams", { saw, want }), passages };
    },
  },
  {
    id: "GW-STREAM-IDLE",
    area: "streams",
    needsStream: true,
    title: "The gateway keeps a stream open that is silent for 70 s",
    breaks: "Streams of slow tasks are cut, and the client never sees their result.",
    remedy: "Raise the idle timeout of this route to an hour, or send keep-alive comments from the agent.",
    heavy: true,
    async examine(ends, binding) {
      const passage = (await idleStreams(ends)).get(binding)!;
      return judged(passage, (agent, client) => sameEvents(agent, client, 2));
    },
  },
];
