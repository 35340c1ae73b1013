import { openProxy } from "@assay/proxy";
import { createEgressGuard } from "@assay/wire";
import { serveParent } from "./child.ts";

/** Runs the judging proxy in front of the benchmark's agent, without output or recording. */
const agent = process.env["BENCH_AGENT"];
if (agent === undefined) throw new Error("BENCH_AGENT names no agent.");
const proxy = await openProxy({
  url: agent,
  host: "127.0.0.1",
  port: 0,
  run: "bench",
  version: "bench",
  connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
  record() {},
  show() {},
});
serveParent(proxy.url);
