import { connectionOptions, testOptions } from "@assay/suite/options";
import { portNumber } from "../flag-values.ts";
import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf, required } from "./command.ts";

const { keep, json, shutdownTimeout } = testOptions;

const flags = [
  "Gateway",
  ["--through <url>", "address of the agent at the gateway", String, required],
  ["--upstream-port <n>", "port of the agent that Assay starts behind the gateway", portNumber, 4060],
  ["--upstream-host <address>", "address that this agent listens on", String, "127.0.0.1"],
  ["--depth <level>", "how much to test: quick, or full with load, size and idle tests", ["quick", "full"], "quick"],
  "Output",
  {
    keep,
    json: { ...json, means: "print only the report, as JSON" },
    ...reportOptions,
    shutdownTimeout,
  },
  "Connection",
  connectionOptions,
] as const;
export type GatewayFlags = FlagsOf<typeof flags>;

export const addGateway = declare("gateway", {
  group: "build",
  does: "Test what a gateway does to A2A traffic.",
  args: [],
  flags,
  examples: [
    ["assay gateway --through http://127.0.0.1:8080", "then point the gateway at http://127.0.0.1:4060"],
    ["assay gateway --through http://gw.example.com --upstream-host 0.0.0.0"],
    ["assay gateway --through http://127.0.0.1:8080 --depth full", "also 50 streams, 10 MB and 70 s of silence"],
  ],
  notes: [
    "Assay starts an agent behind the gateway and a client in front of it. It compares what one end sends with what the other end receives: cards, headers, bodies, errors, streams, delivery and credentials (docs/gateways.md).",
    "Differences that no client notices are listed as changed. A broken property fails the run and names the setting of known gateways.",
  ],
  exitCodes: {
    0: "nothing is broken",
    1: "the gateway breaks at least one property",
    2: "wrong usage, or no request reached the agent",
    3: "internal error",
  },
  action: async () => (await import("../actions/gateway.ts")).runGateway,
});
