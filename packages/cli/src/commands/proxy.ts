import { connectionOptions, testOptions } from "@assay/suite/options";
import { collect, count, portNumber } from "../flag-values.ts";
import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf } from "./command.ts";
import { agentArgument } from "./talk-flags.ts";

const { card, strict, ruleSet, failOn, keep, json, shutdownTimeout } = testOptions;

const flags = [
  "Proxy",
  ["--port <n>", "port to listen on, for HTTP/1.1 and gRPC; 0 picks a free one", portNumber, 4050],
  ["--host <address>", "address to listen on", String, "127.0.0.1"],
  [
    "--callback <url>",
    "webhook of your client: register the address that the proxy prints instead, and Assay judges the notifications",
  ],
  ["--keep-card", "pass the card on unchanged: its addresses bypass the proxy, its signatures stay valid"],
  {
    card,
    shutdownTimeout: {
      ...shutdownTimeout,
      means: "after SIGTERM or Ctrl-C: time to judge the calls and write reports before Assay exits",
    },
  },
  "Faults",
  [
    "--fault <fault>",
    "inject a fault: <name>[=value][@when], for example cut=3@SendStreamingMessage; list explains all (repeatable)",
    collect,
  ],
  ["--seed <n>", "seed of random faults: the same seed and the same calls give the same faults", count, 1],
  "Judging",
  { strict, ruleSet, failOn },
  "Output",
  ["--record", "save the traffic in .assay/runs, for assay report and assay runs"],
  {
    keep: { ...keep, means: "with --record: number of runs to keep" },
    json: { ...json, means: "print one JSON line for each event; the first has the address to connect to" },
    ...reportOptions,
  },
  "Connection",
  connectionOptions,
] as const;
export type ProxyFlags = FlagsOf<typeof flags>;

export const addProxy = declare("proxy", {
  group: "build",
  does: "Show the calls between a client and an agent, with verdicts.",
  args: [["[url]", agentArgument[1]]],
  flags,
  examples: [
    ["assay proxy http://127.0.0.1:9999", "then point your client at http://127.0.0.1:4050"],
    ["assay proxy https://agents.example.com/maps --record", "save the traffic"],
    ["assay proxy http://127.0.0.1:9999 --report har=talk.har", "write it as HAR when you stop the proxy"],
    ["assay proxy http://127.0.0.1:9999 --fault status=503@GetTask:0.2", "see how your client copes with errors"],
    ["assay proxy --fault list", "explain every fault"],
    ["assay proxy http://127.0.0.1:9999 --callback http://127.0.0.1:7000/hook", "judge push notifications, too"],
    ["assay proxy http://127.0.0.1:9999 --keep-card", "for a client that verifies signatures of cards"],
  ],
  notes: [
    "Without --fault, the proxy passes everything on unchanged, event by event. It changes only the Host header and the addresses in the card, and tells you so.",
    "The proxy rejects requests from web pages of other sites. --allow-host <host> allows one.",
    "Credentials of clients go to the address you name, and with --trust-host to others. --header, --bearer and the other credential flags apply to the proxy's own request for the card.",
    "Push notifications go from the agent to your client and bypass the proxy. With --callback they pass through it.",
    "Assay does not judge a call that a fault hit: neither the agent nor the client is responsible for it.",
    "Press Ctrl-C to stop the proxy and write the report.",
  ],
  exitCodes: {
    0: "neither side broke a rule in the calls that were made",
    1: "a rule is broken, or the result is below --fail-on",
    2: "wrong usage, or there was no call to judge",
    3: "internal error",
  },
  action: async () => (await import("../actions/proxy.ts")).proxy,
});
