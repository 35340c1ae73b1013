import type { Depth } from "@assay/suite/report";
import {
  anonymousAgent,
  bedAgent,
  driverServer,
  javascriptSdk,
  type RunningAgent,
  scripted,
} from "./running-agents.ts";

/** An agent on which a run is measured, and how deep. */
export interface MeasuredAgent {
  readonly name: string;
  readonly depths: readonly Depth[];
  /** the smallest form of the benchmark that measures it */
  readonly from: "short" | "standard" | "long";
  start(): Promise<RunningAgent>;
}

const agent = (
  name: string,
  start: () => Promise<RunningAgent>,
  { depths = ["quick", "full"], from = "standard" }: Partial<Pick<MeasuredAgent, "depths" | "from">> = {},
): MeasuredAgent => ({ name, depths, from, start });

const longList = (tasks: number) => () => scripted(process.execPath, "bench/dist/long-list-agent.js", String(tasks));

/** All but the last are tested with the settings that any agent gets. */
export const measuredAgents: readonly MeasuredAgent[] = [
  agent("JavaScript SDK", javascriptSdk, { from: "short" }),
  agent("Python SDK", () => driverServer("a2a-python")),
  agent("JavaScript SDK with 0.3", () => driverServer("a2a-js"), { from: "long" }),
  // Their first build takes minutes.
  agent("Go SDK", () => driverServer("a2a-go"), { from: "long" }),
  agent("Rust SDK", () => driverServer("a2a-rust"), { from: "long" }),
  agent("Java SDK 0.3", () => driverServer("a2a-java-0.3"), { from: "long" }),
  // Its slow tasks take 2 s.
  agent("keeps streams open", () => anonymousAgent("mutants/STREAM-005.stays-open", 0.2)),
  agent("slow tasks take 4 s", () => anonymousAgent("spec", 0.4)),
  agent("answers in 3 s", () => anonymousAgent("variants/long-tasks")),
  agent("moody", () => anonymousAgent("variants/moody"), { from: "long" }),
  agent("lists 20 tasks", longList(20), { from: "long" }),
  agent("lists 20,000 tasks", longList(20_000)),
  agent("test bed, delays × 0.05", () => anonymousAgent("spec", 0.05), {
    depths: ["card", "free", "quick", "full"],
    from: "short",
  }),
  agent("the same, known as ours", () => bedAgent("spec", 0.05), { depths: ["full"] }),
];
