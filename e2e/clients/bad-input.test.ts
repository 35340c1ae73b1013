import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientTestOptions, testClient } from "@assay/clients";
import { type ConformanceReport, exitCodeOf, firstStep, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-bad-clients-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a run says of a command in the plainest situation. */
async function reportOn(command: readonly string[], timeout?: number): Promise<ConformanceReport> {
  return foldRun(await eventsOf(command, { timeout: timeout ?? 60_000 }));
}

async function eventsOf(
  command: readonly string[],
  options: Partial<ClientTestOptions>,
  versions: Pick<ClientTestOptions, "dialects"> = { dialects: ["1.0"] },
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of testClient({
    command,
    env: { ...process.env, PID_FILE: join(folder, "pid") },
    run: "bad",
    version: "0",
    ...versions,
    bindings: ["JSONRPC"],
    ...options,
  }))
    events.push(event);
  return events;
}

const sh = (script: string): readonly string[] => ["sh", "-c", script];
const node = (script: string): readonly string[] => [process.execPath, "--input-type=module", "-e", script];

/** Whether a process is there that a command wrote the id of; one that has ended and was not fetched yet is not. */
function isAlive(): boolean {
  try {
    const pid = readFileSync(join(folder, "pid"), "utf8").trim();
    const isZombie = existsSync(`/proc/${pid}/stat`) && / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return process.kill(Number(pid), 0) && !isZombie;
  } catch {
    return false;
  }
}

describe("a command that is no client", () => {
  test.each<[string, readonly string[], RegExp, number?]>([
    ["does not exist", ["no-such-program-here"], /no-such-program-here could not be started: command not found/],
    ["hangs", sh("echo $$ > $PID_FILE; sleep 60"), /still running after 0\.2 s and was killed/, 200],
    [
      "hangs and ignores SIGTERM",
      sh("trap '' TERM; echo $$ > $PID_FILE; while :; do sleep 1; done"),
      /still running/,
      300,
    ],
    ["forks", sh("sleep 60 & echo $! > $PID_FILE"), /left processes running, which were killed/],
    ["dies by a signal", sh("kill -KILL $$"), /was killed by SIGKILL/],
    ["floods its output", sh("echo $$ > $PID_FILE; exec yes"), /bytes of its output were discarded/, 3_000],
    ["goes to the wrong path", sh("curl -s -d '{}' $ASSAY_AGENT_URL/nowhere"), /no interface at POST \/nowhere/],
    [
      "goes to the wrong path over HTTP/2",
      sh("curl -s --http2-prior-knowledge -d '{}' $ASSAY_AGENT_URL/nowhere"),
      /no interface at POST \/nowhere/,
    ],
    [
      "speaks TLS",
      sh("curl -sk $(echo $ASSAY_AGENT_URL | sed s/http/https/); exit 0"),
      /TLS handshake on a plain HTTP port/,
    ],
    [
      "sends half a request",
      node(
        "import { connect } from 'node:net'; const { port } = new URL(process.env.ASSAY_AGENT_URL); connect(port, '127.0.0.1').end('POST /agent HTTP/1.1\\r\\nHost: a');",
      ),
      /\d+ bytes of a request and disconnected before it was complete/,
    ],
    [
      "sends what is no HTTP",
      node(
        "import { connect } from 'node:net'; const { port } = new URL(process.env.ASSAY_AGENT_URL); connect(port, '127.0.0.1').on('error', () => {}).end('hello');",
      ),
      /5 bytes that are not HTTP: "hello"/,
    ],
    [
      "goes to the wrong path and ends with an error",
      sh("curl -s -XPOST $ASSAY_AGENT_URL/foo -d x; exit 1"),
      /exit code 1; the card has no interface at POST \/foo/,
    ],
    [
      "ends with an error of Node",
      node("throw new Error('no such agent')"),
      /^exit code 1 \(stderr: Error: no such agent\)$/,
    ],
    ["does nothing", sh("exit 0"), /sent no request/],
    ["declines everything", sh("exit 75"), /declined/],
  ])("%s", async (_what, command, line, timeout) => {
    const report = await reportOn(command, timeout);
    expect(report.levelBecause).toMatch(line);
    expect(report).toMatchObject({ outcome: "inconclusive", conformanceLevel: null, ending: "done" });
    expect(exitCodeOf(report)).toBe(2);
    expect(firstStep(report)).toMatch(/^(?:Pass the command that starts|Let the command)/);
    // A process that is being ended closes its pipes a moment before it is gone.
    await expect.poll(isAlive).toBe(false);
  });
});

/** A client of 1.0 that sends its message to any agent, whatever the card says. */
const deaf = (params: string, exit = 0): readonly string[] =>
  sh(
    `curl -s -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${params}}' $ASSAY_AGENT_URL/agent; exit ${exit}`,
  );
const message = '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}';
/** Offers every version, because none is named. */
const inAnyVersion = async (command: readonly string[]): Promise<ConformanceReport> =>
  foldRun(await eventsOf(command, { situations: ["send"], timeout: 60_000 }, {}));

test("the first step depends on what the command did", async () => {
  const stepsAfter = async (command: readonly string[]) => firstStep(await reportOn(command));
  expect(await stepsAfter(["no-such-program-here"])).toContain("Pass the command that starts your client");
  expect(await stepsAfter(sh("exit 75"))).toContain("support the action send");
  expect(await stepsAfter(sh("exit 0"))).toContain("send ASSAY_MESSAGE to an interface on the card");
});

test("a client speaks only the versions in which an agent accepts its calls", async () => {
  const report = await inAnyVersion(deaf(message));
  expect(report.dialects.map(({ dialect }) => dialect)).toEqual(["1.0"]);
  expect(report.outcome).toBe("conformant");
});

test("a client whose every call is rejected is judged only by the newest version that it tried", async () => {
  const report = await inAnyVersion(deaf(`[${message}]`, 1));
  expect(report).toMatchObject({ outcome: "not-conformant", dialects: [{ dialect: "1.0" }] });
  const broken = resultsOf(report).filter(({ verdict, warning }) => verdict === "fail" || warning !== undefined);
  expect(broken.map(({ test: id }) => id)).toEqual(["JSONRPC-022"]);
});

test("a client that calls only what the agent rejects is inconclusive", async () => {
  const unknown = `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"none"}}`;
  const asks = `curl -s -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '${unknown}' $ASSAY_AGENT_URL/agent`;
  const report = await reportOn(sh(asks));
  expect(report).toMatchObject({
    outcome: "inconclusive",
    conformanceLevel: null,
    levelBecause: "the agent accepted no call of the client",
  });
});

test("a client is judged alike over HTTP/1.1 and HTTP/2", async () => {
  const message = '{"messageId":"m","role":"ROLE_USER","parts":[{"text":"\'"$ASSAY_MESSAGE"\'"}]}';
  const call = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":${message}}}`;
  const verdictsOver = async (flag: string) => {
    const fetchCard = `curl -s ${flag} $ASSAY_AGENT_URL/.well-known/agent-card.json`;
    const send = `curl -s ${flag} -H 'Content-Type: application/json' -d '${call}' $ASSAY_AGENT_URL/agent`;
    const events = await eventsOf(sh(`${fetchCard}; ${send}`), { situations: ["send"], timeout: 60_000 });
    return events.flatMap((event) =>
      event.event === "check-finished" ? `${event.result.test}: ${event.result.verdict}` : [],
    );
  };
  const verdicts = await verdictsOver("--http1.1");
  expect(verdicts.filter((each) => each.endsWith(": fail")).length).toBeGreaterThan(0);
  expect(await verdictsOver("--http2-prior-knowledge")).toEqual(verdicts);
});
