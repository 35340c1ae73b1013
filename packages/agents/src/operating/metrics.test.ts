import { describe, expect, test } from "vitest";
import { readExposition } from "./exposition.fixture.ts";
import { agentLabel, Metrics } from "./metrics.ts";
import { processGauges } from "./process-gauges.ts";

const labels = { agent: "spec", binding: "JSONRPC", operation: "GetTask" };

describe("metrics", () => {
  test("counters, histograms and gauges are printed as Prometheus reads them", async () => {
    const metrics = new Metrics({ assay_tasks: () => 3 });
    metrics.count("assay_requests_total", { ...labels, outcome: "ok" });
    metrics.count("assay_requests_total", { ...labels, outcome: "ok" });
    const streams = metrics.gauge("assay_streams_by_agent", { agent: "spec" });
    streams.value++;
    streams.value--;
    for (const seconds of [0.0004, 0.003, 0.003, 40])
      metrics.measure("assay_request_duration_seconds", labels, seconds);
    const families = readExposition(await metrics.print());
    expect([...families].map(([name, { type }]) => [name, type])).toEqual([
      ["assay_requests_total", "counter"],
      ["assay_request_duration_seconds", "histogram"],
      ["assay_streams_by_agent", "gauge"],
      ["assay_tasks", "gauge"],
    ]);
    const duration = families.get("assay_request_duration_seconds")!.samples;
    const inLabels = 'agent="spec",binding="JSONRPC",operation="GetTask"';
    expect(duration.get(`assay_request_duration_seconds_bucket{${inLabels},le="0.0005"}`)).toBe(1);
    expect(duration.get(`assay_request_duration_seconds_bucket{${inLabels},le="0.005"}`)).toBe(3);
    expect(duration.get(`assay_request_duration_seconds_bucket{${inLabels},le="+Inf"}`)).toBe(4);
    expect(duration.get(`assay_request_duration_seconds_sum{${inLabels}}`)).toBeCloseTo(40.0064);
    expect(families.get("assay_streams_by_agent")!.samples).toEqual(
      new Map([['assay_streams_by_agent{agent="spec"}', 0]]),
    );
  });

  test("label values are escaped", async () => {
    const metrics = new Metrics({});
    metrics.count("assay_push_total", { agent: 'a"}\\\n# TYPE x counter', outcome: "delivered" });
    const [family] = readExposition(await metrics.print()).values();
    expect([...family!.samples.keys()]).toEqual([
      'assay_push_total{agent="a\\"}\\\\\\n# TYPE x counter",outcome="delivered"}',
    ]);
  });

  test("a gauge that cannot be read is left out, and takes nothing with it", async () => {
    const metrics = new Metrics({
      assay_tasks: () => Promise.reject(new Error("no store")),
      assay_connections: () => 1,
    });
    expect([...readExposition(await metrics.print()).keys()]).toEqual(["assay_connections"]);
  });

  test("the process tells what it is and takes", async () => {
    const metrics = new Metrics(processGauges("1.2.3"));
    const families = readExposition(await metrics.print());
    const build = `assay_build_info{version="1.2.3",node="${process.version}"}`;
    expect(families.get("assay_build_info")!.samples).toEqual(new Map([[build, 1]]));
    expect(
      families.get("process_resident_memory_bytes")!.samples.get("process_resident_memory_bytes{}"),
    ).toBeGreaterThan(1e6);
    expect(families.get("process_cpu_seconds_total")!.type).toBe("counter");
  });

  test.each([
    ["spec", "spec"],
    ["spec@0.3", "spec"],
    ["mutants/LIST-003.no-token", "mutants"],
    ["variants/moody@echo", "variants"],
  ])("the agent %s is counted as %s", (path, label) => {
    expect(agentLabel(path)).toBe(label);
  });
});
