import { startTestbed, type Testbed } from "@assay/agents";
import { addressOf, gallery } from "@assay/agents/gallery";
import type { Examination } from "@assay/fleet";
import { examine } from "@assay/fleet/examine";
import { createEgressGuard } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provesAll } from "../proves-all.case.ts";
import { galleryClasses, startTiny, tinyAgents } from "./exhibits.case.ts";

// Each of these agents is in the one class that a person would put it in.

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.02 });
});
afterAll(() => bed.close(0));

const examined = (url: string, { mayMessage = false, idle = 5_000 } = {}): Promise<Examination> =>
  examine(
    { sweep: "s", agent: { name: url, url, labels: [], depth: "free", mayMessage } },
    {
      url,
      run: "r",
      version: "test",
      connection: {
        guard: createEgressGuard({ allowLoopback: true }),
        timeouts: { connect: 5_000, idle, total: 20_000 },
        limits: { bodyBytes: 1 << 22, wireBytes: 1 << 22 },
      },
    },
  );

/** Those whose whole point is that they keep us waiting. */
const silent = { idle: 300 };

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

describe.concurrent("an exhibit of the gallery", () => {
  const exhibits = gallery.filter(({ id }) => (provesAll ? id in galleryClasses : sample.includes(id)));
  test.each(exhibits)("$id", { timeout: 30_000 }, async (exhibit) => {
    const examination = await examined(`${bed.url}${addressOf(exhibit)}`, exhibit.id === "stalled-card" ? silent : {});
    expect(told(examination)).toEqual(galleryClasses[exhibit.id]);
  });
});

describe.concurrent("a server that", () => {
  test.each(tinyAgents.filter(({ quick }) => quick || provesAll))("$named", { timeout: 30_000 }, async (agent) => {
    const { url, server } = await startTiny(agent);
    const examination = await examined(url, agent.named === "hangs" ? silent : {});
    server.closeAllConnections();
    server.close();
    expect(told(examination)).toEqual(agent.is);
  });
});

test.runIf(provesAll)("one plain message, where it is allowed, and no more", async () => {
  const { class: named, report } = await examined(`${bed.url}/minimal`, { mayMessage: true });
  expect([named, report?.summary.workingMessages]).toEqual(["working", 1]);
});
