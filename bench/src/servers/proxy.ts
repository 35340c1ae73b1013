import { openProxy } from "@assay/proxy";
import { createEgressGuard } from "@assay/wire";
import { serveParent } from "./child.ts";

/** The judging proxy before the agent that the benchmark names; nothing is shown or recorded. */
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
