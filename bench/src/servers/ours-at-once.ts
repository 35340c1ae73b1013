import { startTestbed } from "@assay/agents";
import { serveParent } from "./child.ts";

/** Runs our server without write batching: each response is written at once. Shows the gain of batching. */
const testbed = await startTestbed({
  host: "127.0.0.1",
  port: 0,
  version: "bench",
  timeScale: 0,
  answersTogether: false,
});
serveParent(`${testbed.url}/spec`);
