#!/usr/bin/env node
import { version } from "../dist/version.js";

// These commands catch signals. When the main thread is stuck, only another process can end them.
const supervised = new Set([
  ...["test", "client", "ui", "demo", "acts", "replay", "serve", "proxy", "gateway"],
  ...["send", "get", "list", "cancel", "subscribe", "push"],
  ...["fleet", "worker", "matrix", "interop"],
]);

const args = process.argv.slice(2);
// Asked by scripts over and over: the version alone needs none of what the commands need.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) process.stdout.write(`${version}\n`);
else if (supervised.has(args[0])) (await import("./launcher.js")).launch(args);
else await import("./command.js");
