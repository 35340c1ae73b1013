import type { TestOptions } from "@assay/suite";
import type { Depth } from "@assay/suite/report";
import {
  anonymousAgent,
  bedAgent,
  driverServer,
  javascriptSdk,
  type RunningAgent,
  scripted,
} from "./running-agents.ts";

/** An agent to test, and the depth. */
export interface MeasuredAgent {
  readonly name: string;
  readonly depths: readonly Depth[];
  /** the shortest form of the benchmark that includes it */
  readonly from: "short" | "standard" | "long";
  /** options of the test (default: those of the benchmark) */
  readonly options?: Partial<TestOptions>;
  start(): Promise<RunningAgent>;
}

const agent = (
  name: string,
  start: () => Promise<RunningAgent>,
  { depths = ["quick", "full"], from = "standard", options = {} }: Partial<MeasuredAgent> = {},
): MeasuredAgent => ({ name, depths, from, options, start });

const longList = (tasks: number) => () => scripted(process.execPath, "bench/dist/long-list-agent.js", String(tasks));

export const measuredAgents: readonly MeasuredAgent[] = [
  agent("JavaScript SDK", javascriptSdk, { from: "short" }),
  agent("Python SDK", () => driverServer("a2a-python")),
  agent("JavaScript SDK with 0.3", () => driverServer("a2a-js"), { from: "long" }),
  // Their first build takes minutes.
  agent("Go SDK", () => driverServer("a2a-go"), { from: "long" }),
  agent("Rust SDK", () => driverServer("a2a-rust"), { from: "long" }),
  agent("Java SDK 0.3", () => driverServer("a2a-java-0.3"), { from: "long" }),
  // Its slow tasks take 2 s.
  agent("keeps streams open", () => anonymousAgent("mutants/STREAM-005.stays-open", 0.2), { from: "long" }),
  agent("slow tasks take 4 s", () => anonymousAgent("spec", 0.4), { depths: ["full"] }),
  agent("answers in 3 s", () => anonymousAgent("variants/long-tasks"), { from: "long" }),
  agent("moody", () => anonymousAgent("variants/moody"), { from: "long" }),
  agent("lists 20 tasks", longList(20), { from: "long" }),
  agent("lists 20,000 tasks", longList(20_000), { depths: ["full"] }),
  agent("streams 1 GB", () => scripted(process.execPath, "bench/dist/long-stream-agent.js", "1000000000"), {
    depths: ["full"],
  }),
  agent("sends 50,000 artifacts", () => scripted(process.execPath, "bench/dist/many-artifacts-agent.js", "50000"), {
    depths: ["quick"],
  }),
  // It has streaming and push notifications.
  agent(
    "takes 3 requests a second",
    () => anonymousAgent("variants/notifies", 0.05, "--max-requests", "3", "--max-burst", "3"),
    { depths: ["quick"], from: "long", options: { bindings: ["JSONRPC"], dialects: ["1.0"] } },
  ),
  agent("test bed, delays × 0.05", () => anonymousAgent("spec", 0.05), {
    depths: ["card", "free", "quick", "full"],
    from: "short",
  }),
  agent("the same, known as ours", () => bedAgent("spec", 0.05), { depths: ["full"], from: "long" }),
];
