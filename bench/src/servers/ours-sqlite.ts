import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed } from "@assay/agents";
import { serveParent } from "./child.ts";

const address = `sqlite:${join(mkdtempSync(join(tmpdir(), "assay-bench-")), "tasks.db")}`;
const testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "bench", timeScale: 0, store: { address } });
serveParent(`${testbed.url}/spec`);
