import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { testAgent } from "@assay/suite";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { line } from "./proving.fixture.ts";

/** What was found in @a2a-js/sdk 1.3.0 and examined by hand (docs/findings/a2a-js-1.3.0.md): nothing else may be said. `npm test` tries JSON-RPC alone. */
const known = {
  broken: ["ERR-004", "JSONRPC-004", "JSONRPC-008"],
  warned: [
    "JSONRPC-029",
    "GRPC-014",
    "HIST-008",
    "JSONRPC-014",
    "JSONRPC-025",
    "PUSH-007",
    "PUSH-008",
    "PUSH-046",
    "REST-031",
    "SEND-005",
    "SEND-006",
    "SEND-007",
    "VER-004",
  ],
};

test("a server of @a2a-js/sdk 1.3.0 gets the findings that were examined by hand, and no others", async () => {
  const main = fileURLToPath(new URL("../../sdks/a2a-js/dist/server.js", import.meta.url));
  const server = spawn(process.execPath, [main], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [ready] = await once(server.stdout, "data");
    const { url } = JSON.parse(String(ready)) as { url: string };
    const events: RunEvent[] = [];
    const connection = { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) };
    const asked = {
      depth: "full",
      rude: true,
      grace: 3_000,
      ...(!provesAll && { bindings: ["JSONRPC"] as const }),
    } as const;
    for await (const event of testAgent({ url, run: "stranger", version: "test", connection, ...asked }))
      events.push(event);
    const report = foldRun(events);
    expect(report.ending).toBe("done");
    const results = resultsOf(report);
    const failed = results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked" || verdict === "error");
    expect(failed.filter(({ test: id }) => !known.broken.includes(id)).map(line)).toEqual([]);
    const warned = results.filter(({ warning }) => warning !== undefined);
    const all = [...known.broken, ...known.warned];
    expect(warned.filter(({ test: id }) => !all.includes(id)).map(line)).toEqual([]);
    // The findings themselves are seen: an old one that is gone is worth a look as well.
    expect([...new Set(failed.map(({ test: id }) => id))].toSorted()).toEqual(known.broken);
  } finally {
    server.kill();
  }
});
