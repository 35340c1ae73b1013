import { startTestbed } from "@assay/agents";
import { afterAll, describe, expect, test } from "vitest";
import { sampleOf } from "../fixtures/proves-all.fixture.ts";
import { compareDirectly, reportedIn } from "./direct-run.fixture.ts";
import { startTcpProxy } from "./planted-gateway.fixture.ts";

/** Agents that are odd but legal, behind a proxy that changes nothing. `npm test` tries every 40th. */

const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.1 });
const proxy = await startTcpProxy(bed.port);
const { variants } = await bed.families();
afterAll(async () => {
  await bed.close(0);
  await proxy.close();
});

describe.concurrent("nothing is reported", () => {
  test.each(sampleOf(variants, 40))("$id", async ({ id }) => {
    const paths = { through: `${proxy.url}/variants/${id}`, direct: `http://127.0.0.1:${bed.port}/variants/${id}` };
    const { report } = await compareDirectly(paths);
    expect(reportedIn(report)).toEqual([]);
    // Some ask for a login, and some speak no version that can be compared.
    expect(["done", "login-required", "no-usable-interface"]).toContain(report.ending);
  });
});
