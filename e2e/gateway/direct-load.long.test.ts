import { resultsOf } from "@assay/suite/report";
import { describe, test } from "vitest";
import { brokenIn, examined, reportedIn } from "./direct-run.fixture.ts";
import { gatewayLimits, startFaultyGateway, startTcpProxy } from "./planted-gateway.fixture.ts";

/** Load and size tests of the user's own agent. judge-load.test.ts has 1,000 events and 70 s of silence. */
describe.concurrent("with --rude", () => {
  // 50 streams of 5 s are open at once, even on a busy machine.
  const setting = { seed: 15, gapMs: 1_000, isSteady: true, depth: "full", rude: true } as const;
  const announced = 2 * (8 + 204);

  test("nothing is reported on a TCP proxy", async ({ expect }) => {
    const { report, events, agent } = await examined(startTcpProxy, setting);
    expect(reportedIn(report)).toEqual([]);
    const sent = ["GW-BODY-SIZE", "GW-STREAM-CONCURRENT"];
    const passed = resultsOf(report).filter(({ test: id, verdict }) => sent.includes(id) && verdict === "pass");
    expect(passed).toHaveLength(4);
    const planned = events.find((event) => event.event === "planned");
    expect(planned).toMatchObject({ workingMessages: announced });
    // Nothing was odd, so nothing was repeated.
    expect(agent.messages()).toBe(2 * (6 + 102));
    expect(events.filter((event) => event.event === "exchange" && event.working)).toHaveLength(agent.messages());
  });

  describe.each(["limits-bodies", "limits-streams"] as const)("a gateway that %s", (limit) => {
    test("is found, with at most as many messages as announced", async ({ expect }) => {
      const found = await examined((port) => startFaultyGateway(port, limit), setting);
      expect(brokenIn(found)).toEqual([gatewayLimits[limit]]);
      expect(found.agent.messages()).toBeLessThanOrEqual(announced);
    });
  });
});
