import { startTestbed } from "@assay/agents";
import { serveParent } from "./child.ts";

const address = process.env["BENCH_POSTGRES"]!;
const testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "bench", timeScale: 0, store: { address } });
serveParent(`${testbed.url}/spec`);
