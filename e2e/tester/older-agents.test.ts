import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { open, useTestbed } from "../fixtures/testbed.fixture.ts";

/** Agents of 0.1 and 0.2 as users meet them: cards that lack something, logins, the names of their own version. */

const bed = useTestbed({ timeScale: 0.05 });
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

interface Report {
  readonly outcome: string;
  readonly summary: { readonly total: number; readonly failed: number; readonly workingMessages: number };
  readonly categories: Record<string, readonly { test: string; verdict: string; dialect: string }[]>;
  readonly dialects: readonly { dialect: string; because: string }[];
}

async function tested(url: string, ...flags: readonly string[]): Promise<{ code: number; report: Report }> {
  const screen = paperScreen();
  const code = await run(["test", url, "--json", "--no-record", "--no-config", ...flags], screen);
  return { code, report: JSON.parse(screen.out()) as Report };
}

const verdictsOf = ({ categories }: Report, verdict: string): string[] =>
  Object.values(categories)
    .flat()
    .filter((result) => result.verdict === verdict)
    .map(({ test: id, dialect }) => `${id} ${dialect}`);

/** An agent of one method, whose card names no version and lacks a member. */
async function agent(method: "tasks/send" | "message/send", missing: "url" | "description"): Promise<string> {
  const server = createServer(async (request, response) => {
    const { port } = server.address() as AddressInfo;
    const say = (body: unknown, status = 200) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (request.method === "GET") {
      const modes = { defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] };
      const skill = { id: "s", name: "S", description: "d", tags: ["t"] };
      const card = {
        ...{ name: "Small", description: "d", url: `http://127.0.0.1:${port}/`, version: "1" },
        ...{ capabilities: {}, skills: [skill], ...modes },
      };
      const { [missing]: _, ...rest } = card;
      return void say(
        request.url === "/.well-known/agent.json" ? rest : {},
        request.url?.endsWith("agent.json") ? 200 : 404,
      );
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    const call = parsed(body);
    const isRequest = call?.["jsonrpc"] === "2.0" && typeof call["method"] === "string";
    const isKnown = call?.["method"] === method || call?.["method"] === "tasks/get";
    const hasParams = Object.keys(call?.["params"] ?? {}).length > 0;
    const code = !call ? -32700 : !isRequest ? -32600 : !isKnown ? -32601 : hasParams ? -32001 : -32602;
    say({ jsonrpc: "2.0", id: call?.["id"] ?? null, error: { code, message: "refused" } });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

describe("a card that does not name its version", () => {
  test("no depth accuses a 0.1 card of the description that 0.1 does not ask for", async () => {
    const url = await agent("tasks/send", "description");
    for (const depth of ["card", "free"]) {
      const { report } = await tested(url, "--depth", depth);
      expect([depth, report.dialects.map(({ dialect }) => dialect)]).toEqual([depth, ["0.1"]]);
      expect(verdictsOf(report, "fail").filter((id) => id.startsWith("CARD"))).toEqual([]);
    }
  });

  test("at depth card the version of a 0.2 card is called unknown; asked, the agent is held to 0.2", async () => {
    const url = await agent("message/send", "description");
    const { report: card } = await tested(url, "--depth", "card");
    expect([card.dialects[0]!.because, verdictsOf(card, "fail")]).toEqual([expect.stringMatching(/^unknown: /), []]);
    const { report: free } = await tested(url, "--depth", "free");
    expect(verdictsOf(free, "fail")).toContain("CARD-004 0.2");
  });
});

test.each([
  ["tasks/send", "0.1"],
  ["message/send", "0.2"],
] as const)(
  "a card without url: %s is asked at the address that was given, and url is what is missing",
  async (method, dialect) => {
    const { code, report } = await tested(await agent(method, "url"), "--depth", "free");
    expect([code, report.outcome, report.dialects.map((each) => each.dialect)]).toEqual([
      1,
      "not-conformant",
      [dialect],
    ]);
    expect(verdictsOf(report, "fail")).toContain(`V03-CARD-001 ${dialect}`);
    expect(verdictsOf(report, "fail").filter((id) => id.startsWith("CARD-006"))).toEqual([]);
    expect(verdictsOf(report, "pass")).toContain(`GET-002 ${dialect}`);
  },
);

test("an agent that asks for a login is judged by its card and by how it turns callers away, and gets no message", async () => {
  const { code, report } = await tested(`${bed.url}/secure@0.1`);
  expect([code, report.outcome, report.summary.workingMessages]).toEqual([2, "inconclusive", 0]);
  expect(verdictsOf(report, "pass")).toEqual(
    expect.arrayContaining(["CARD-003 0.1", "AUTH-006 0.1", "AUTH-008 0.1", "V01-AUTH-001 0.1"]),
  );
});

test("assay card reads a 0.1 card in its version", async () => {
  const screen = paperScreen();
  await run(["card", `${bed.url}/spec01`, "--json"], screen);
  const { card, dialects } = JSON.parse(screen.out()) as {
    card: { skills: object[] };
    dialects: { dialect: string }[];
  };
  expect([dialects.map(({ dialect }) => dialect), card.skills.length > 3]).toEqual([["0.1"], true]);
});

describe("errors and streams in the names of their version", () => {
  const call = async (agentPath: string, method: string, params: object): Promise<string> => {
    const answer = open(`${bed.url}/${agentPath}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      fresh: true,
    });
    let text = "";
    for await (const chunk of await answer) text += chunk;
    return text;
  };
  const said = (text: string) => ({ role: "user", parts: [{ type: "text", text }] });

  test("0.1 says sessionId and completed", async () => {
    await call("spec01", "tasks/send", { id: "t1", sessionId: "s1", message: said("task-lifecycle x") });
    expect(await call("spec01", "tasks/cancel", { id: "t1" })).toContain('"state":"completed"');
    await call("spec01", "tasks/send", { id: "t2", sessionId: "s1", message: said("multi-turn x") });
    const refusal = await call("spec01", "tasks/send", { id: "t2", sessionId: "other", message: said("more") });
    expect(refusal).toContain('"field":"sessionId"');
    expect(refusal).not.toMatch(/context/i);
  });

  test("tasks/resubscribe to a task that waits for input ends with a final event", async () => {
    await call("spec01", "tasks/send", { id: "t3", sessionId: "s1", message: said("multi-turn x") });
    const events = (await call("spec01", "tasks/resubscribe", { id: "t3" })).split("\n\n").filter(Boolean);
    expect(events.at(-1)).toMatch(/"state":"input-required".*"final":true/);
    const parts = [{ kind: "text", text: "multi-turn x" }];
    const message = { kind: "message", messageId: "m1", role: "user", parts };
    const { result } = JSON.parse(await call("spec02", "message/send", { message })) as { result: { id: string } };
    const later = (await call("spec02", "tasks/resubscribe", { id: result.id })).split("\n\n").filter(Boolean);
    expect(later.at(-1)).toMatch(/"state":"input-required".*"final":true/);
  });
});
