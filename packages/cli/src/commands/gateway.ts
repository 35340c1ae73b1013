import { connectionOptions, testOptions } from "@assay/suite/options";
import { list, portNumber } from "../flag-values.ts";
import { gatewayDefaults } from "../gateway-defaults.ts";
import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf, required } from "./command.ts";

const { keep, json, rude, shutdownTimeout } = testOptions;

const flags = [
  "Gateway",
  ["--through <url>", "address of the agent at the gateway", String, required],
  ["--grpc-through <address>", "address of the agent's gRPC interface at the gateway (default: as --through)", String],
  ["--callback-through <url>", "address at the gateway for webhooks; has to lead to the agent of Assay, too", String],
  ["--direct <url>", "address of your own agent without the gateway: compare it with --through, and start no agent"],
  ["--message <text>", `text of the messages to your agent, with --direct (default: ${gatewayDefaults.message})`],
  [
    "--upstream-port <n>",
    `port of the agent that Assay starts behind the gateway (default: ${gatewayDefaults.upstreamPort})`,
    portNumber,
  ],
  ["--upstream-host <address>", `address that this agent listens on (default: ${gatewayDefaults.upstreamHost})`],
  ["--depth <level>", "how much to test: quick, or full with load, size and idle tests", ["quick", "full"], "quick"],
  {
    rude: {
      ...rude,
      means: "with --direct and --depth full: allow load tests, up to 204 messages for each interface of A2A 1.0",
    },
  },
  ["--only <id>", "test only these properties, such as GW-STREAM-* (repeatable)", list],
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
    ["assay gateway --through http://127.0.0.1:8080 --grpc-through 127.0.0.1:8081", "gRPC has to work, too"],
    [
      "assay gateway --through https://gw.example --direct http://127.0.0.1:9000",
      "with your own agent: at most 8 messages",
    ],
    ["assay gateway --through http://127.0.0.1:8080 --depth full", "also 50 streams, 10 MB and 70 s of silence"],
  ],
  notes: [
    "Assay starts an agent behind the gateway and a client in front of it. It compares what one end sends with what the other end receives: cards, headers, bodies, compression, errors, streams, delivery, credentials, push notifications and gRPC (docs/gateways.md).",
    "Assay examines gRPC if the gateway passes it on. With --grpc-through, a gateway that does not pass it on is broken.",
    "With --direct, Assay sends the same requests to your agent, directly and through the gateway. It compares structure, headers, status and timing, never generated text. Depth quick sends at most 8 messages, full at most 8 per interface. Each may be a model call and cost money. Load and size tests send 50 streams at once and 10 MB to your agent, so they need --depth full and --rude.",
    "Differences that no client notices are listed as changed. A broken property fails the run and names the setting of known gateways.",
  ],
  exitCodes: {
    0: "nothing is broken",
    1: "the gateway breaks at least one property",
    2: "wrong usage, no request reached the agent, or nothing could be compared",
    3: "internal error",
  },
  action: async () => (await import("../actions/gateway.ts")).runGateway,
});
