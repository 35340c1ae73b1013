import type { WireServer } from "@assay/wire/server";
import type { RecordedAgent, RecordedAgentOptions } from "./recorded-agent.ts";

/** Serves an agent from its recording. Loaded on demand, because it needs protobuf. */
export async function startRecordedAgent(agent: RecordedAgent, options: RecordedAgentOptions): Promise<WireServer> {
  const { serveRecorded } = await import("./serve-recorded.ts");
  return serveRecorded(agent, options);
}
