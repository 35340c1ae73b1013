import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Testbed } from "@assay/agents";
import { loadReporters } from "@assay/reporters";
import type { TestOptions } from "@assay/suite";
import { createMasker } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { answer, type Doorman, type Front, startFront } from "./front.fixture.ts";
import { line, type Proof, prove, startFixtures } from "./proving.fixture.ts";

const reporters = await loadReporters();

/** Agents that want to hurt whoever tests them. The run survives, leaks nothing, and says what it saw. */

let bed: Testbed;
const fronts: Front[] = [];
beforeAll(async () => {
  bed = await startFixtures();
});
afterAll(async () => {
  await Promise.all(fronts.map((front) => front.close()));
  await bed.close(0);
});

async function against(
  doorman: Doorman,
  more: Parameters<typeof prove>[2]["more"] = {},
  base = "spec",
): Promise<Proof & { front: Front }> {
  const front = await startFront(`${bed.url}/${base}`, doorman);
  fronts.push(front);
  const proof = await prove(bed, "", {
    base,
    more: { url: front.url, bindings: ["JSONRPC"], taskTimeout: 3_000, ...more },
  });
  return { ...proof, front };
}

/** `npm run prove` asks by all rules. */
const core: Partial<TestOptions> = provesAll ? {} : { only: ["agent-card", "SEND-00*", "GET-*", "ERR-00*"] };

const isCard = (path: string): boolean => path.endsWith("/.well-known/agent-card.json");

const card = (url: string, change: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: "Hostile",
  description: "wants to hurt",
  version: "1",
  capabilities: { streaming: true },
  skills: [{ id: "x", name: "x", description: "x", tags: ["x"] }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  ...change,
});

const rpcId = (body: string): unknown => JSON.parse(body).id;

/** Every report of a run, as text. */
const reportsOf = ({ events, report }: Proof): Record<string, string> =>
  Object.fromEntries(Object.entries(reporters).map(([name, render]) => [name, render({ events, report })]));

test("a run on a card with 5,000 interfaces connects only to the first of each binding", async () => {
  const { report, front } = await against(({ path, headers }, response) => {
    if (!isCard(path)) return undefined;
    const own = `http://${headers.host}/spec`;
    const more = Array.from({ length: 5_000 }, (_, index) => ({
      url: `${own}/${index}`,
      protocolBinding: index % 2 ? "JSONRPC" : "HTTP+JSON",
      protocolVersion: "1.0",
    }));
    const first = { url: own, protocolBinding: "JSONRPC", protocolVersion: "1.0" };
    return answer(response, 200, card(own, { supportedInterfaces: [first, ...more] }));
  }, core);
  expect(report.ending).toBe("done");
  // The endpoint answers to 0.3 as well, at the same address.
  expect(report.interfaces.map(({ binding, dialect }) => `${binding} ${dialect}`)).toEqual([
    "JSONRPC 1.0",
    "JSONRPC 0.3",
  ]);
  expect(report.leftOut.length).toBeLessThanOrEqual(50);
  expect(front.knocks.filter(({ path }) => /\/spec\/\d+/.test(path))).toEqual([]);
});

describe.concurrent("streams without end", () => {
  // Where a stream is to be refused, half a minute is waited for that: with `npm run prove` only.
  const streamRules = [...(provesAll ? ["STREAM-*"] : ["STREAM-00*", "STREAM-02*"]), "SEND-001"];
  const streams: Record<string, (response: ServerResponse, body: string) => void> = {
    "comments for ever": (response) => trickle(response, () => ": still here\n\n", 20),
    "events for ever": (response, body) =>
      trickle(
        response,
        () =>
          `data: ${JSON.stringify({ jsonrpc: "2.0", id: rpcId(body), result: { statusUpdate: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } } })}\n\n`,
        1,
      ),
    "one line for ever": (response) => trickle(response, () => "x".repeat(10_000), 1),
    silence: () => {},
  };

  test.each(sampleOf(Object.keys(streams), 3))("%s: we hang up, and the run goes on", async (name) => {
    const { report } = await against(
      ({ rpc, body }, response) => {
        if (rpc !== "SendStreamingMessage") return undefined;
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        response.flushHeaders();
        streams[name]!(response, body);
        return true;
      },
      { only: streamRules },
    );
    expect(report.ending).toBe("done");
    expect(report.summary.errors).toBe(0);
  });

  function trickle(response: ServerResponse, next: () => string, everyMs: number): void {
    const timer = setInterval(() => response.write(next()), everyMs);
    response.on("close", () => clearInterval(timer));
  }
});

describe("responses that are too large", () => {
  const mebibyte = 1024 * 1024;
  const bomb = gzipSync(Buffer.alloc(200 * mebibyte, 0x20));

  test("a compressed card that grows to 200 MB is no card, and we say why", async () => {
    const { report } = await against(({ path }, response) => {
      if (!path.includes(".well-known") && path !== "/spec") return undefined;
      response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" });
      response.end(bomb);
      return true;
    });
    expect(["no-card", "unreachable"]).toContain(report.ending);
    expect(report.message).toMatch(/exceeds/);
  });

  test("reading a response of 100 MB stops at the limit", async () => {
    const { report, results } = await against(
      ({ rpc }, response) => {
        if (rpc !== "SendMessage") return undefined;
        response.writeHead(200, { "Content-Type": "application/json" });
        let left = 100;
        const more = (): void => {
          while (left-- > 0)
            if (!response.write(Buffer.alloc(mebibyte, 0x20))) return void response.once("drain", more);
          response.end("{}");
        };
        more();
        return true;
      },
      { only: ["SEND-001"] },
    );
    expect(report.ending).toBe("done");
    expect(results.map(({ message }) => message).join()).toMatch(/exceeds/);
  });

  testIf(provesAll)("so does a compressed response of 200 MB", async () => {
    const { report } = await against(
      ({ rpc }, response) => {
        if (rpc !== "SendMessage") return undefined;
        response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" });
        response.end(bomb);
        return true;
      },
      { only: ["SEND-001"] },
    );
    expect(report.ending).toBe("done");
  });
});

describe("words that want to be more than words", () => {
  const nasty =
    "\u001b[31mred\u001b]0;title\u0007 \u202eevil\u2066 <script>alert(1)</script><img src=x onerror=alert(1)> ]]> | `x` @everyone\n::error::owned\n##[error]owned\n\u0000 ![x](http://evil.example/x)";

  test("in every string of the card and of the answers, they stay words in every report", async () => {
    const proof = await against(({ path, rpc, body, headers }, response) => {
      if (isCard(path)) {
        const own = `http://${headers.host}/spec`;
        return answer(
          response,
          200,
          card(own, {
            name: nasty,
            description: nasty,
            version: nasty,
            skills: [{ id: nasty, name: nasty, description: nasty, tags: [nasty] }],
            documentationUrl: nasty,
            securitySchemes: { [nasty]: { [nasty]: nasty } },
          }),
        );
      }
      if (!rpc) return undefined;
      const error = {
        code: -32001,
        message: nasty,
        data: [{ "@type": nasty, reason: nasty, metadata: { [nasty]: nasty } }],
      };
      return answer(response, 200, { jsonrpc: "2.0", id: rpcId(body), error }, { "X-Nasty": "\t\u00ff" });
    }, core);
    expect(proof.report.ending).toBe("done");
    const { html, junit, markdown } = reportsOf(proof);
    for (const text of [html!, junit!, markdown!]) {
      expect(text).not.toMatch(/\u001b|\u202e|\u2066|\u0000|\u0007/);
      expect(text).not.toMatch(/^::error::/m);
      expect(text).not.toMatch(/^##\[error\]/m);
    }
    expect(html).not.toMatch(/<script>alert|<img src=x/);
    // Within a code span nothing is more than a word.
    expect(markdown!.replace(/`[^`]*`/g, "")).not.toMatch(/<script>|!\[x\]\(http/);
  });
});

describe("an agent that echoes the token of the operator", () => {
  const token = "tok-7f3a9c1e5b2d4860-very-secret";

  test("no recording or report contains a token that the agent echoes in headers, Base64 or errors", async () => {
    const base64 = Buffer.from(token).toString("base64");
    const proof = await against(
      ({ rpc, body, headers }, response) => {
        if (!rpc) return undefined;
        const seen = headers.authorization ?? "";
        const error = {
          code: -32001,
          message: `you are ${seen} or ${base64}`,
          data: [{ "@type": "x", token: base64 }],
        };
        return answer(response, 200, { jsonrpc: "2.0", id: rpcId(body), error }, { "X-Echo": seen });
      },
      {
        headers: [["Authorization", `Bearer ${token}`]],
        secrets: [{ name: "bearer", value: token }],
        ...core,
      },
    );
    expect(proof.front.knocks.some(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
    const written = [JSON.stringify(proof.events), ...Object.values(reportsOf(proof))];
    for (const text of written) {
      expect(text.includes(token)).toBe(false);
      expect(text.includes(base64)).toBe(false);
    }
    // The mask itself is what hides it: without it the token would be there.
    expect(createMasker([]).text(`Bearer ${token}`)).toContain(token);
    expect(proof.results.filter(({ verdict }) => verdict === "error").map(line)).toEqual([]);
  });
});

test("an agent that rejects long texts by closing the connection did not crash", async () => {
  // Requests of the same size with a short text are answered: Assay fills them up with spaces.
  const { results } = await against(
    ({ body }, response) => (body.includes("x".repeat(1_000_000)) ? !!response.destroy() : undefined),
    { only: ["SEC-001"] },
  );
  expect(results.map(line)).toEqual(["SEC-001 | 1.0 | JSONRPC | pass", "SEC-001 | 0.3 | JSONRPC | pass"]);
});
