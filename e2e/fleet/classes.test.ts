import { createHash } from "node:crypto";
import { startTestbed, type Testbed } from "@assay/agents";
import { addressOf, gallery } from "@assay/agents/gallery";
import type { Examination } from "@assay/fleet";
import { examine } from "@assay/fleet/examine";
import { createEgressGuard } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { galleryClasses, startTiny, tinyAgents } from "./exhibits.fixture.ts";

// Each of these agents is in the one class that a person would put it in.

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.02 });
});
afterAll(() => bed.close(0));

interface Wish {
  readonly mayMessage?: boolean;
  readonly idle?: number;
  readonly notBefore?: number;
  readonly before?: { readonly cardDigest: string; readonly at: number };
}

const examined = (
  url: string,
  { mayMessage = false, idle = 30_000, notBefore, before }: Wish = {},
): Promise<Examination> =>
  examine(
    {
      sweep: "s",
      agent: { name: url, url, labels: [], depth: "free", mayMessage, ...(notBefore && { notBefore }) },
      ...(before && { before }),
    },
    {
      url,
      run: "r",
      version: "test",
      connection: {
        guard: createEgressGuard({ allowLoopback: true }),
        timeouts: { connect: 30_000, idle, total: 60_000 },
        limits: { bodyBytes: 1 << 22, wireBytes: 1 << 22 },
      },
    },
  );

/** Those whose whole point is that they keep us waiting. */
const silent = { idle: 1_500 };

/** `npm test` tries those that answer at once, one of each class; `npm run prove` all of them. */
const sample = [
  "card-401",
  "card-402",
  "cut-card",
  "website",
  "no-interfaces",
  "private-host",
  "endpoint-404",
  "mcp-server",
];

const told = ({ class: named, reason }: Examination) => [named, reason.code];

describe.concurrent("the gallery", () => {
  const exhibits = gallery.filter(({ id }) => (provesAll ? id in galleryClasses : sample.includes(id)));
  test.each(exhibits)("exhibit $id gets its class", async (exhibit) => {
    const examination = await examined(`${bed.url}${addressOf(exhibit)}`, exhibit.id === "stalled-card" ? silent : {});
    expect(told(examination)).toEqual(galleryClasses[exhibit.id]);
  });
});

describe("a server that", () => {
  test.each(tinyAgents.filter(({ quick }) => quick || provesAll))("$named", async (agent) => {
    const { url, server } = await startTiny(agent);
    const examination = await examined(url, agent.named === "hangs" ? silent : {});
    server.closeAllConnections();
    server.close();
    expect(told(examination)).toEqual(agent.is);
  });
});

testIf(provesAll)("one plain message, where it is allowed, and no more", async () => {
  const { class: named, report } = await examined(`${bed.url}/minimal`, { mayMessage: true });
  expect([named, report?.summary.workingMessages]).toEqual(["working", 1]);
});

test("an agent whose card is the same, and was examined not long ago, is asked for its card and left alone", async () => {
  const asked: string[] = [];
  const { url, server } = await startTiny({ named: "unchanged", is: ["working", "unasked"], endpoint: () => {} });
  server.on("request", ({ url: path }) => asked.push(path ?? ""));
  const card = await (await fetch(`${url}/.well-known/agent-card.json`)).text();
  const cardDigest = createHash("sha256").update(card).digest("hex");
  asked.length = 0;
  const before = (at: number) => examined(url, { ...silent, notBefore: 60_000, before: { cardDigest, at } });
  expect(await before(Date.now() - 1_000)).toMatchObject({ unchanged: true, cardDigest });
  expect(asked).toEqual(["/robots.txt", "/.well-known/agent-card.json"]);
  expect(await before(Date.now() - 61_000)).toMatchObject({ class: "timed-out" });
  server.closeAllConnections();
  server.close();
});
