import type { Settings } from "@assay/library/config";
import { version } from "@assay/library/version";
import type { Interop, InteropAgent, InteropDirection } from "@assay/proxy";
import { peerTests, type RunEvent } from "@assay/suite/report";

/** The second agent of a test. */
interface PeerTest {
  readonly settings: Settings;
  readonly peer: InteropAgent;
  readonly signal: AbortSignal;
}

/** The maximum number of messages: two, then four, in each direction. */
const mostMessages = 12;

/**
 * Yields the events of a test. Before its end, it lets the agent talk to another agent, as its client and as its
 * server. The other agent's mistakes do not count against this one.
 */
export async function* withPeer(events: AsyncIterable<RunEvent>, test: PeerTest): AsyncGenerator<RunEvent> {
  for await (const event of events) {
    if (event.event === "run-finished" && event.ending === "done") yield* talk(test);
    else if (event.event === "run-finished") yield* untried("the run ended before the agents could talk to each other");
    yield event;
  }
}

async function* talk({ settings, peer, signal }: PeerTest): AsyncGenerator<RunEvent> {
  const { url, headers, secrets, connection, taskTimeout } = settings.options;
  yield { event: "note", text: `--peer: up to ${mostMessages} more messages between this agent and ${peer.url}` };
  const { interop, stepResults } = await import("@assay/proxy");
  try {
    const found = await interop({
      a: { url, ...(headers && { headers }), ...(settings.relay !== undefined && { relay: settings.relay }) },
      b: peer,
      version,
      connection,
      ...(secrets && { secrets }),
      host: "127.0.0.1",
      idPrefix: "peer-",
      ...(taskTimeout !== undefined && { taskTimeout }),
      signal,
    });
    yield* joined(found);
    for (const result of stepResults(found)) yield { event: "peer-tried", ...result };
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    yield { event: "note", text: `--peer ${peer.url}: ${because}` };
    yield* untried(because);
  }
}

function* untried(message: string): Generator<RunEvent> {
  for (const test of peerTests) yield { event: "peer-tried", test, status: "skip", message };
}

function* joined({ b, directions, understandings }: Interop): Generator<RunEvent> {
  for (const way of directions) yield* shownBy(way);
  for (const { direction, is, because } of understandings) {
    const name = b.name || b.url;
    const who = direction === "a-to-b" ? `as a client of ${name}` : `as an agent for ${name}`;
    const answer = { yes: "understood", no: "not understood", unknown: "not tested" }[is];
    yield { event: "note", text: `--peer: this agent ${who}: ${answer} (${because.join("; ")})` };
  }
}

/**
 * Yields the results of one direction. The agent under test is the client on the way there, and the server on the way
 * back.
 */
function* shownBy({ direction, events }: InteropDirection): Generator<RunEvent> {
  const ours = direction === "a-to-b" ? "client" : undefined;
  for (const event of events) {
    if (event.event === "exchange") yield event;
    if (event.event !== "check-finished") continue;
    const { result } = event;
    const isExamined = result.verdict === "pass" || result.verdict === "fail";
    if (result.party === ours && isExamined) yield { ...event, result: { ...result, category: "interop" } };
  }
}
