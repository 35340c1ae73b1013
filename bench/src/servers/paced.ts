import { startTestbed } from "@assay/agents";
import { serveParent } from "./child.ts";

/** Runs the test bed with ten milliseconds between two events of a stream. */
const testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "bench", timeScale: 0.02 });
serveParent(`${testbed.url}/spec`);
