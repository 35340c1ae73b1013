import { startTestbed } from "@assay/agents";
import { serveParent } from "./child.ts";

/** Ours, each answer written as soon as it is ready: what the server costs without the gain of writing them together. */
const testbed = await startTestbed({
  host: "127.0.0.1",
  port: 0,
  version: "bench",
  timeScale: 0,
  answersTogether: false,
});
serveParent(`${testbed.url}/spec`);
