#!/usr/bin/env node
import { readFileSync } from "node:fs";

// These commands catch signals. When the main thread is stuck, only another process can end them.
const supervised = new Set([
  ...["test", "client", "ui", "demo", "acts", "replay", "serve", "proxy", "gateway", "upgrade", "mcp"],
  ...["send", "get", "list", "cancel", "subscribe", "push"],
  ...["fleet", "worker", "matrix", "interop"],
]);

const args = process.argv.slice(2);
// Scripts ask for the version over and over, so it loads no other module.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
} else if (supervised.has(args[0])) (await import("./launcher.js")).launch(args);
else await import("./command.js");
