import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Testbed } from "@assay/agents";
import type { AgentProcess, TestOptions } from "@assay/suite";
import { createEgressGuard } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { type Doorman, type Front, type Knock, startFront } from "../proof/front.fixture.ts";
import { line, type Proof, prove, startFixtures } from "../proof/proving.fixture.ts";

/** Assay never blames an agent for its gateway or network, and still finds the faults of the agent. */

let bed: Testbed;
beforeAll(async () => {
  bed = await startFixtures();
});
afterAll(() => bed.close(0));

interface Standing {
  /** options, which may depend on the proxy */
  readonly more?: Partial<TestOptions> | ((front: Front) => Partial<TestOptions>);
  readonly only?: readonly string[];
}

/** `npm run prove` checks all rules. */
const core: Standing = provesAll ? {} : { only: ["SEND-*", "GET-*", "LIST-*"] };

/** Tests a good agent through a proxy with this behaviour. */
async function through(
  doorman: (front: () => Front) => Doorman,
  { more, only }: Standing = {},
): Promise<Proof & Front> {
  let front: Front | undefined;
  front = await startFront(`${bed.url}/spec`, (knock, response) => doorman(() => front!)(knock, response));
  try {
    const proof = await prove(bed, "spec", {
      base: "spec",
      binding: "JSONRPC",
      dialect: "1.0",
      ...(only && { only }),
      more: { url: front.url, ...(typeof more === "function" ? more(front) : more) },
    });
    return { ...proof, ...front };
  } finally {
    await front.close();
  }
}

const badGateway = (response: ServerResponse): true => gateway(response, 502, "Bad Gateway");

function gateway(response: ServerResponse, status: number, text: string): true {
  response.writeHead(status, { "Content-Type": "text/html" });
  response.end(`<html><body><h1>${status} ${text}</h1></body></html>`);
  return true;
}

const drop = (response: ServerResponse): true => {
  response.socket?.resetAndDestroy();
  return true;
};

const accused = ({ results }: Proof): string[] =>
  results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "error").map(line);
/** Returns true for the message of a check. The probe for versions has no id. */
const isMessage = ({ rpc, body }: Knock): boolean => rpc === "SendMessage" && body.includes("messageId");
/** Returns the rules that the surroundings prevented. */
const unseen = ({ results }: Proof): string[] =>
  results.filter(({ unexamined }) => unexamined === "unstable" || unexamined === "interrupted").map(line);
const verdictOf = ({ results }: Proof, id: string) => results.find(({ test: rule }) => rule === id);
const endingOf = ({ events }: Proof) => events.find((event) => event.event === "run-finished");

describe("an agent is not blamed", () => {
  test("behind a gateway that answers three requests in a row with 502", async () => {
    // Assay sends a message at most twice, because the agent may have processed it.
    const refused = new Set<string | undefined>();
    const proof = await through(
      (front) => (knock, response) => {
        const number = front().knocks.length;
        const [, message] = /"messageId":"([^"]+)"/.exec(knock.body) ?? [];
        if (number < 30 || number % 40 >= 3 || (message !== undefined && refused.has(message))) return undefined;
        refused.add(message);
        return badGateway(response);
      },
      core,
    );
    expect(accused(proof)).toEqual([]);
    expect(unseen(proof)).toEqual([]);
    expect(proof.report.ending).toBe("done");
  });

  testIf(provesAll)("that refuses connections for a second and a half", async () => {
    let isDown = false;
    const proof = await through(
      (front) => (_, response) => {
        if (isDown || front().knocks.length < 40) return undefined;
        isDown = true;
        front().refuse();
        setTimeout(() => front().listen(), 1_500);
        return drop(response);
      },
      core,
    );
    expect(accused(proof)).toEqual([]);
    expect(unseen(proof)).toEqual([]);
    expect(proof.report.ending).toBe("done");
  });

  test("when its server closes a kept connection as the next request arrives", async () => {
    const used = new WeakMap<Socket, number>();
    const proof = await through(
      () => (_, response) => {
        const socket = response.socket!;
        const carried = used.get(socket) ?? 0;
        used.set(socket, carried + 1);
        return carried > 0 ? drop(response) : undefined;
      },
      core,
    );
    expect(accused(proof)).toEqual([]);
    expect(unseen(proof)).toEqual([]);
    expect(proof.report.ending).toBe("done");
  });

  test("behind a gateway that does not wait for the answer to a message", async () => {
    const proof = await through(
      () => (knock, response) => (isMessage(knock) ? gateway(response, 504, "Gateway Time-out") : undefined),
      { only: ["SEND-001"] },
    );
    expect(accused(proof)).toEqual([]);
    expect(verdictOf(proof, "SEND-001")).toMatchObject({
      verdict: "not-examined",
      unexamined: "unstable",
      message: expect.stringMatching(/^a gateway returned 504 after/),
      enable: expect.stringContaining("prompts.task"),
    });
    expect(proof.knocks.filter(isMessage)).toHaveLength(1);
  });
});

describe("a slow agent is not a failing agent", () => {
  const impatient = (idle: number): Partial<TestOptions> => ({
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }), timeouts: { idle } },
  });

  test("a response or a first event may take as long as a task", async () => {
    const only = ["SEND-001", "STREAM-001"];
    const verdictsWith = async (idle: number) => {
      const late = (front: () => Front): Doorman => {
        return ({ rpc, body }, response) => {
          if (!rpc?.startsWith("Send") || !body.includes("messageId")) return undefined;
          setTimeout(() => front().pass(response), 2.5 * idle);
          return true;
        };
      };
      const proof = await through(late, { only, more: { ...impatient(idle), taskTimeout: 50 * idle } });
      expect(accused(proof)).toEqual([]);
      return only.map((id) => verdictOf(proof, id)?.verdict);
    };
    // On a busy machine other responses may be late, too, so they get more time.
    let verdicts = await verdictsWith(400);
    for (let idle = 1_600; verdicts.includes("not-examined") && idle < 10_000; idle *= 4)
      verdicts = await verdictsWith(idle);
    expect(verdicts).toEqual(["pass", "pass"]);
  });

  test("an agent that never responds is not blamed for its card", async () => {
    const proof = await through(
      () =>
        ({ rpc }) =>
          rpc === "GetTask" || undefined,
      { only: ["CARD-016", "GET-002"], more: impatient(300) },
    );
    expect(accused(proof)).toEqual([]);
    expect(proof.report).toMatchObject({ outcome: "inconclusive" });
    expect(verdictOf(proof, "GET-002")).toMatchObject({ verdict: "not-examined", enable: "--timeout <seconds>" });
  });

  test("a run that reaches its time limit reports that and fails no rule", async () => {
    const proof = await through(() => () => undefined, { more: { maxTime: 600 } });
    expect(accused(proof)).toEqual([]);
    expect(endingOf(proof)).toMatchObject({ ending: "time-over", hint: expect.stringContaining("--max-time") });
  });
});

test("a run ends when its agent is gone; it names the requests in flight and blames none of them", async () => {
  const proof = await through(
    (front) =>
      ({ rpc, body }, response) => {
        if (rpc !== "ListTasks" || !body.includes('"abc"')) return undefined;
        front().refuse();
        return drop(response);
      },
    { ...core, more: { goneAfter: 1_000 } },
  );
  expect(accused(proof)).toEqual([]);
  expect(endingOf(proof)).toMatchObject({
    ending: "agent-gone",
    // The malformed requests come first, each with the command that repeats it.
    message: expect.stringMatching(
      /^The agent stopped answering on every interface\. Suspects, .*: \(1\) request \d+, malformed on purpose: .*Reproduce: curl /,
    ),
  });
  expect(endingOf(proof)?.message).toMatch(/ListTasks over JSON-RPC\. Reproduce: curl [^(]*pageSize":"abc"/);
  expect(proof.report).toMatchObject({ outcome: "inconclusive", conformanceLevel: null });
});

test("a malformed request fails if it ends its connection each time and similar requests do not", async () => {
  const proof = await through(
    () =>
      ({ rpc, body }, response) =>
        rpc === "ListTasks" && body.includes('"abc"') ? drop(response) : undefined,
    { only: ["ERR-004", "GET-002", "LIST-00*"] },
  );
  const failures = proof.results.filter(({ verdict }) => verdict === "fail");
  expect(failures.map(({ test: rule, code }) => [rule, code])).toEqual([["ERR-004", "crashed"]]);
  expect(failures[0]).toMatchObject({
    message: expect.stringMatching(/^(?!.*crash).*closes the connection without a response/),
    sent: expect.stringContaining('"pageSize":"abc"'),
    repeat: expect.stringMatching(/^curl .*"pageSize":"abc"/),
    saw: expect.stringContaining("3 well-formed requests of the same operation and size were answered"),
  });
  expect(accused(proof)).toHaveLength(1);
});

testIf(provesAll)("an operation whose connections drop whatever is asked is not known to crash the agent", async () => {
  const proof = await through(
    () =>
      ({ rpc }, response) =>
        rpc === "CancelTask" ? drop(response) : undefined,
    { only: ["CANCEL-003", "GET-002"] },
  );
  expect(accused(proof)).toEqual([]);
  expect(verdictOf(proof, "CANCEL-003")).toMatchObject({ verdict: "not-examined", unexamined: "unstable" });
});

test("a message whose connection drops is sent once more, unchanged, and counts", async () => {
  let dropped = 0;
  const proof = await through(
    () => (knock, response) => (isMessage(knock) && dropped++ === 0 ? drop(response) : undefined),
    { only: ["SEND-001"] },
  );
  expect(verdictOf(proof, "SEND-001")).toMatchObject({ verdict: "pass" });
  const ids = proof.knocks.filter(isMessage).map(({ body }) => /"messageId":"([^"]+)"/.exec(body)?.[1]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(endingOf(proof)).toMatchObject({ workingMessages: 2 });
});

testIf(provesAll)("an agent of which no interface lets us connect is not blamed for its addresses", async () => {
  const proof = await through(
    (front) =>
      ({ rpc, headers }, response) => {
        if (rpc !== "GetTask" || headers["a2a-version"] === undefined) return undefined;
        front().refuse();
        return drop(response);
      },
    { only: ["CARD-016", "GET-002"], more: { goneAfter: 1_000 } },
  );
  expect(proof.results.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  expect(proof.report).toMatchObject({ ending: "no-usable-interface", outcome: "inconclusive" });
});

describe("an agent that Assay started", () => {
  /** Starts an agent whose process exits on these requests, this many times. It works again after each restart. */
  const mortal = (kills: (knock: Knock) => boolean, times = Number.POSITIVE_INFINITY) => {
    let isDead = false;
    let deaths = 0;
    const doorman = (front: () => Front): Doorman => {
      return (knock, response) => {
        if (!isDead && (!kills(knock) || deaths >= times)) return undefined;
        if (!isDead) front().refuse();
        isDead = true;
        deaths += 1;
        return drop(response);
      };
    };
    const process = (front: Front): AgentProcess => ({
      starts: 1,
      answers() {},
      ending: async () => (isDead ? "The agent (npm run agent) exited with code 3" : undefined),
      restart() {
        Object.assign(this, { starts: this.starts + 1 });
        isDead = false;
        front.listen();
      },
    });
    return { doorman, more: (front: Front) => ({ process: process(front) }) };
  };
  const rules = ["CANCEL-*", "GET-00*", "LIST-00*"];

  test("fails the rule whose malformed request ends its process, and shows that request", async () => {
    const { doorman, more } = mortal(({ rpc, body }) => rpc === "ListTasks" && body.includes('"abc"'));
    const proof = await through(doorman, { only: [...rules, "ERR-004", "SEND-*"], more });
    const failures = proof.results.filter(({ verdict }) => verdict === "fail");
    expect(failures.map(({ test: rule, code }) => [rule, code])).toEqual([["ERR-004", "crashed"]]);
    expect(failures[0]).toMatchObject({
      sent: expect.stringContaining('"pageSize":"abc"'),
      repeat: expect.stringMatching(/^curl .*"pageSize":"abc"/),
      saw: expect.stringContaining("exited with code 3, within 2 s of this request"),
    });
    expect(proof.report.notes).toContainEqual(
      expect.stringMatching(
        /exited with code 3\. Assay started it again\. It crashes on: \(1\) request \d+, malformed .*Reproduce: curl/,
      ),
    );
    expect(proof.report.outcome).toBe("not-conformant");
  });

  testIf(provesAll)(
    "and whose process ends at every CancelTask fails the rules that sent one, and no other",
    async () => {
      const { doorman, more } = mortal(({ rpc }) => rpc === "CancelTask");
      const proof = await through(doorman, { only: rules, more });
      const failures = proof.results.filter(({ verdict }) => verdict === "fail");
      expect(failures.length).toBeGreaterThan(0);
      for (const failure of failures)
        expect(failure).toMatchObject({ code: "crashed", sent: expect.stringContaining("CancelTask") });
    },
  );

  testIf(provesAll)("and whose process ends at random is accused of nothing", async () => {
    const deadly: ReadonlySet<number> = new Set([37, 52, 91, 118, 161, 208, 214, 273]);
    let asked = 0;
    const { doorman, more } = mortal(() => {
      asked += 1;
      return deadly.has(asked);
    });
    const proof = await through(doorman, { only: ["SEND-*", "GET-*", "LIST-*", "ERR-*", "JSONRPC-*"], more });
    expect(accused(proof)).toEqual([]);
    expect(proof.report).toMatchObject({ ending: "agent-exited", outcome: "inconclusive" });
    expect(proof.report.notes).toContainEqual(expect.stringMatching(/No request is proven to end it\. Suspects, /));
  });

  testIf(provesAll)(
    "and whose process exits after it answered a malformed request fails the rule that sent it",
    async () => {
      const process = { isDead: false, exits: () => {} };
      const doorman =
        (front: () => Front): Doorman =>
        ({ rpc, body }, response) => {
          if (rpc === "ListTasks" && body.includes('"abc"'))
            response.on("finish", () => {
              setTimeout(() => {
                process.isDead = true;
                front().refuse();
                process.exits();
              }, 300);
            });
          return undefined;
        };
      const started = (front: Front): AgentProcess => ({
        starts: 1,
        answers() {},
        ending: async (withinMs) => {
          if (!process.isDead) {
            await new Promise<void>((resolve) => {
              setTimeout(resolve, withinMs);
              process.exits = resolve;
            });
          }
          return process.isDead ? "The agent (npm run agent) exited with code 1" : undefined;
        },
        restart() {
          Object.assign(this, { starts: this.starts + 1 });
          process.isDead = false;
          front.listen();
        },
      });
      const proof = await through(doorman, {
        only: [...rules, "ERR-004"],
        more: (front) => ({ process: started(front) }),
      });
      const failures = proof.results.filter(({ verdict }) => verdict === "fail");
      expect(failures.map(({ test: rule, code }) => [rule, code])).toEqual([["ERR-004", "crashed"]]);
      expect(failures[0]).toMatchObject({
        message: expect.stringContaining("exits after it answered: ListTasks, malformed on purpose"),
        repeat: expect.stringMatching(/^curl .*"pageSize":"abc"/),
        saw: expect.stringContaining("exited with code 1, within 2 s of answering this request, 4 of 4 times"),
      });
      expect(proof.report.outcome).toBe("not-conformant");
    },
  );

  test("gets advice, and no other verdict, if its process ends under --faults", async () => {
    let streams = 0;
    const { doorman, more } = mortal(({ rpc }) => {
      if (rpc === "SendStreamingMessage") streams += 1;
      return streams > 2;
    }, 1);
    const proof = await through(doorman, {
      only: ["CARD-003"],
      more: (front) => ({ ...more(front), faults: true }),
    });
    expect(proof.report.notes).toContainEqual(
      expect.stringMatching(/^advice \(FAULT-001, clients that disconnect .* Saw: its process exited;/),
    );
    expect(proof.report).toMatchObject({ ending: "done", outcome: "conformant" });
  });

  test("is restarted and not blamed if its process ends once", async () => {
    const { doorman, more } = mortal(({ rpc }) => rpc === "ListTasks", 1);
    const proof = await through(doorman, { only: rules, more });
    expect(accused(proof)).toEqual([]);
    expect(proof.report).toMatchObject({
      ending: "agent-exited",
      outcome: "inconclusive",
      message: expect.stringMatching(/^The process exited once during the run, .*Suspects, /),
    });
  });
});
