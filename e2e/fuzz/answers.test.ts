import { selectChecks, type TestOptions, testAgent } from "@assay/suite";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard, createPeer, createPeerClients, type PeerInterface } from "@assay/wire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { type MalformingProxy, startMalformingProxy } from "./malforming-proxy.fixture.ts";
import { SeededRandom } from "./mutations.fixture.ts";

// Tests Assay against malformed responses: it must not crash, hang or report an internal error. `npm test` mutates 100
// responses. `npm run prove -- answers --answers 100000 --seed 1` mutates more. The printed seed selects the mutations.
const seed = Number(process.env["ASSAY_FUZZ_SEED"] ?? 1);
const answers = Number(process.env["ASSAY_FUZZ_ANSWERS"] ?? 100);

const bed = useTestbed({ timeScale: 0 });
/**
 * The number of concurrent rounds. Each has a proxy of its own, so that its responses are reproducible. Calls mostly wait
 * for responses that never end, so more of them fit than runs.
 */
const concurrency = { runs: 6, calls: 24 };
let proxies: readonly MalformingProxy[] = [];
beforeAll(async () => {
  console.log(`fuzz of answers: ASSAY_FUZZ_SEED=${seed}`);
  const start = () => startMalformingProxy(bed.url, { random: new SeededRandom(seed), oneIn: 1, mutatesCard: false });
  proxies = await Promise.all(Array.from({ length: concurrency.calls }, start));
});
afterAll(() => Promise.all(proxies.map((proxy) => proxy.close())));

const guard = createEgressGuard({ trustedHosts: ["127.0.0.1"] });
const randomFor = (round: number, salt: number): SeededRandom =>
  new SeededRandom(seed ^ Math.imul(round + 1, 0x9e3779b1) ^ salt);
/** The time limit of a test. It is long, because it only has to end a run that hangs. */
const patience = { timeout: 1_200_000 + answers * 60 };

/** Runs one round and returns its problem, if any. */
type Round = (proxy: MalformingProxy, random: SeededRandom) => Promise<string | undefined>;

/** Runs rounds until the share of responses is mutated. A problem names its round, so that you can repeat it. */
async function rounds(share: number, salt: number, runRound: Round, workers = concurrency.runs): Promise<void> {
  const mutated = (): number => proxies.reduce((sum, proxy) => sum + proxy.mutated, 0);
  const before = mutated();
  const enough = before + answers * share;
  let told = 0;
  const problems: string[] = [];
  let next = Number(process.env["ASSAY_FUZZ_ROUND"] ?? 0);
  const worker = async (proxy: MalformingProxy): Promise<void> => {
    while (mutated() < enough && problems.length < 3) {
      const round = next++;
      const problem = await runRound(proxy, randomFor(round, salt)).catch(
        (error: unknown) => `it threw: ${(error as Error).stack}`,
      );
      if (mutated() - before >= told + 5_000) {
        told += 5_000;
        console.log(`${told} answers of ${answers * share}`);
      }
      if (problem !== undefined) problems.push(`ASSAY_FUZZ_SEED=${seed} ASSAY_FUZZ_ROUND=${round}: ${problem}`);
    }
  };
  // One whole run mutates about a hundred responses, so a small share needs few workers.
  await Promise.all(proxies.slice(0, Math.min(workers, Math.ceil((answers * share) / 100))).map(worker));
  // Throw instead of comparing lists: a summary of failures shows only the first line of a message.
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** Runs the suite once. Returns a problem if Assay had to end the run or reported an internal error. */
async function tested(url: string, more: Partial<TestOptions>): Promise<string | undefined> {
  const events: RunEvent[] = [];
  const options: TestOptions = {
    url,
    run: "fuzz",
    version: "test",
    // Half of the responses never end, so keep the timeouts short.
    connection: { guard, timeouts: { idle: 300 } },
    taskTimeout: 300,
    grace: 20,
    goneAfter: 1_000,
    maxTime: 900_000,
    ...more,
  };
  for await (const event of testAgent(options)) events.push(event);
  const { ending, message } = foldRun(events);
  if (ending === "time-over") return `the run had to be ended: ${message}`;
  const own = resultsOf(foldRun(events)).filter(
    ({ verdict, message: said }) => verdict === "error" && /internal error: /.test(said ?? ""),
  );
  return own.length ? own.map(({ test: rule, message: said }) => `${rule} ${said}`).join("\n") : undefined;
}

const agents = ["spec", "full", "echo", "spec03", "spec02", "spec01"];

test("cards", patience, () =>
  rounds(0.05, 1, (proxy, random) => {
    proxy.settings = { random, oneIn: 3, mutatesCard: true };
    return tested(`${proxy.url}/${random.pick(agents)}`, { depth: "card" });
  }),
);

test("calls and streams over every binding", patience, async () => {
  const bindings = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;
  const clients = createPeerClients({ guard, timeouts: { idle: 500 } });
  const kinds = new Set(["value", "error", "malformed", "invalid", "failure"]);
  await rounds(
    0.7,
    2,
    async (proxy, random) => {
      proxy.settings = { random, oneIn: 1, mutatesCard: false };
      const binding = random.pick(bindings);
      const dialect = binding === "JSONRPC" ? random.pick(["1.0", "0.3"] as const) : "1.0";
      const url = binding === "GRPC" ? proxy.url : `${proxy.url}/spec`;
      const peer = createPeer(clients, { url, binding, dialect } satisfies PeerInterface);
      const params = { message: { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "streaming hello" }] } };
      if (random.chance(2)) {
        const stream = await peer.stream("SendStreamingMessage", params);
        for await (const event of stream.events) if (!kinds.has(event.is)) return `an event that is ${event.is}`;
        await stream.finished;
        return undefined;
      }
      const operations = ["SendMessage", "GetTask", "ListTasks", "CancelTask", "GetExtendedAgentCard"] as const;
      const operation = random.pick(dialect === "1.0" ? operations : operations.filter((each) => each !== "ListTasks"));
      const answer = await peer.call(operation, operation === "SendMessage" ? params : { id: "t" });
      return kinds.has(answer.is) ? undefined : `an answer that is ${answer.is}`;
    },
    concurrency.calls,
  );
  await clients.close();
});

test("assay card and assay send", patience, () =>
  rounds(
    0.15,
    3,
    async (proxy, random) => {
      proxy.settings = { random, oneIn: 1, mutatesCard: random.chance(3) };
      const url = `${proxy.url}/${random.pick(agents)}`;
      const screen = paperScreen({ isTerminal: random.chance(2) });
      const more = random.chance(2) ? ["--json"] : [];
      const command = random.pick([
        ["card", url],
        ["send", url, "hello", "--timeout", "2"],
        ["send", url, "streaming hello", "--stream", "--timeout", "2"],
      ]);
      const code = await run([...command, ...more], screen);
      return code === 3 ? `${command.join(" ")} ended with 3: ${screen.err()}` : undefined;
    },
    concurrency.calls,
  ),
);

test("whole runs", patience, async () => {
  // Without the checks, this test would fuzz nothing.
  expect(selectChecks({}).length).toBeGreaterThan(400);
  await rounds(0.1, 4, (proxy, random) => {
    proxy.settings = { random, oneIn: random.pick([2, 4, 12]), mutatesCard: false };
    const depth = random.pick(["free", "quick"] as const);
    return tested(`${proxy.url}/${random.pick(agents)}`, { depth });
  });
});
