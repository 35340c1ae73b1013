import { selectChecks, type TestOptions, testAgent } from "@assay/suite";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard, createPeer, createPeerClients, type PeerInterface } from "@assay/wire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { type BentFront, startBentFront } from "./bent-front.fixture.ts";
import { Dice } from "./mutations.fixture.ts";

// The tester against answers that are almost right: no crash, no hang, no error of our own. A few of them here, as many
// as are asked for with `npm run prove -- answers --answers 100000 --seed 1`. The seed decides which; it is printed.
const seed = Number(process.env["ASSAY_FUZZ_SEED"] ?? 1);
const answers = Number(process.env["ASSAY_FUZZ_ANSWERS"] ?? 100);

const bed = useTestbed({ timeScale: 0 });
/**
 * Rounds that are played at a time, each before a front of its own: what one is answered depends on no other. Calls wait for
 * answers that never end most of the time, runs work.
 */
const atATime = { runs: 6, calls: 24 };
let fronts: readonly BentFront[] = [];
beforeAll(async () => {
  console.log(`fuzz of answers: ASSAY_FUZZ_SEED=${seed}`);
  const start = () => startBentFront(bed.url, { dice: new Dice(seed), oneIn: 1, bendsCard: false });
  fronts = await Promise.all(Array.from({ length: atATime.calls }, start));
});
afterAll(() => Promise.all(fronts.map((front) => front.close())));

const guard = createEgressGuard({ trustedHosts: ["127.0.0.1"] });
const diceFor = (round: number, salt: number): Dice => new Dice(seed ^ Math.imul(round + 1, 0x9e3779b1) ^ salt);
/** Long enough for a machine that is busy with other work. A run that hangs never ends, so this costs nothing else. */
const patience = { timeout: 1_200_000 + answers * 60 };

/** One round: what went wrong, if anything did. */
type Play = (front: BentFront, dice: Dice) => Promise<string | undefined>;

/** Until so many answers were bent; what went wrong says in which round, so that it can be had again. */
async function rounds(share: number, salt: number, play: Play, players = atATime.runs): Promise<void> {
  const bent = (): number => fronts.reduce((sum, front) => sum + front.bent, 0);
  const before = bent();
  const enough = before + answers * share;
  let told = 0;
  const problems: string[] = [];
  let next = Number(process.env["ASSAY_FUZZ_ROUND"] ?? 0);
  const player = async (front: BentFront): Promise<void> => {
    while (bent() < enough && problems.length < 3) {
      const round = next++;
      const problem = await play(front, diceFor(round, salt)).catch(
        (error: unknown) => `it threw: ${(error as Error).stack}`,
      );
      if (bent() - before >= told + 5_000) {
        told += 5_000;
        console.log(`${told} answers of ${answers * share}`);
      }
      if (problem !== undefined) problems.push(`ASSAY_FUZZ_SEED=${seed} ASSAY_FUZZ_ROUND=${round}: ${problem}`);
    }
  };
  // Few answers are bent by few players: a round of a whole run bends a hundred.
  await Promise.all(fronts.slice(0, Math.min(players, Math.ceil((answers * share) / 100))).map(player));
  // Not by comparing lists: a summary of failures shows only the first line of the message.
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** A whole run of the suite; whatever it finds, it ends, and by itself. */
async function tested(url: string, more: Partial<TestOptions>): Promise<string | undefined> {
  const events: RunEvent[] = [];
  const options: TestOptions = {
    url,
    run: "fuzz",
    version: "test",
    // Half of the answers never end. Waiting long for each shows nothing new.
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
  rounds(0.05, 1, (front, dice) => {
    front.bending = { dice, oneIn: 3, bendsCard: true };
    return tested(`${front.url}/${dice.pick(agents)}`, { depth: "card" });
  }),
);

test("calls and streams over every binding", patience, async () => {
  const bindings = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;
  const clients = createPeerClients({ guard, timeouts: { idle: 500 } });
  const kinds = new Set(["value", "error", "malformed", "invalid", "failure"]);
  await rounds(
    0.7,
    2,
    async (front, dice) => {
      front.bending = { dice, oneIn: 1, bendsCard: false };
      const binding = dice.pick(bindings);
      const dialect = binding === "JSONRPC" ? dice.pick(["1.0", "0.3"] as const) : "1.0";
      const url = binding === "GRPC" ? front.url : `${front.url}/spec`;
      const peer = createPeer(clients, { url, binding, dialect } satisfies PeerInterface);
      const params = { message: { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "streaming hello" }] } };
      if (dice.chance(2)) {
        const stream = await peer.stream("SendStreamingMessage", params);
        for await (const event of stream.events) if (!kinds.has(event.is)) return `an event that is ${event.is}`;
        await stream.finished;
        return undefined;
      }
      const operations = ["SendMessage", "GetTask", "ListTasks", "CancelTask", "GetExtendedAgentCard"] as const;
      const operation = dice.pick(dialect === "1.0" ? operations : operations.filter((each) => each !== "ListTasks"));
      const answer = await peer.call(operation, operation === "SendMessage" ? params : { id: "t" });
      return kinds.has(answer.is) ? undefined : `an answer that is ${answer.is}`;
    },
    atATime.calls,
  );
  await clients.close();
});

test("what assay card and assay send make of them", patience, () =>
  rounds(
    0.15,
    3,
    async (front, dice) => {
      front.bending = { dice, oneIn: 1, bendsCard: dice.chance(3) };
      const url = `${front.url}/${dice.pick(agents)}`;
      const screen = paperScreen({ isTerminal: dice.chance(2) });
      const more = dice.chance(2) ? ["--json"] : [];
      const command = dice.pick([
        ["card", url],
        ["send", url, "hello", "--timeout", "2"],
        ["send", url, "streaming hello", "--stream", "--timeout", "2"],
      ]);
      const code = await run([...command, ...more], screen);
      return code === 3 ? `${command.join(" ")} ended with 3: ${screen.err()}` : undefined;
    },
    atATime.calls,
  ),
);

test("whole runs", patience, async () => {
  // A check that was never made was never fuzzed either.
  expect(selectChecks({}).length).toBeGreaterThan(400);
  await rounds(0.1, 4, (front, dice) => {
    front.bending = { dice, oneIn: dice.pick([2, 4, 12]), bendsCard: false };
    const depth = dice.pick(["free", "quick"] as const);
    return tested(`${front.url}/${dice.pick(agents)}`, { depth });
  });
});
