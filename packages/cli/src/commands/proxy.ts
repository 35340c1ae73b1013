import { connectionOptions, testOptions } from "@assay/suite/options";
import { portNumber } from "../flag-values.ts";
import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf } from "./command.ts";

const { card, strict, ruleSet, failOn, keep, json } = testOptions;

const flags = [
  ["--port <n>", "port to listen on, HTTP/1.1 and gRPC; 0 takes any free one", portNumber, 4050],
  ["--host <address>", "address to listen on", String, "127.0.0.1"],
  ["--keep-card", "pass the card on as it is: its addresses lead past the proxy, its signatures hold"],
  ["--record", "keep what crossed below .assay/runs, as assay test does: assay report and assay runs read it"],
  {
    card,
    strict,
    ruleSet,
    failOn,
    keep: { ...keep, means: "number of runs to keep, with --record" },
    json: { ...json, means: "one JSON line for each thing that is seen; the first says where to connect" },
    ...reportOptions,
    ...connectionOptions,
  },
] as const;
export type ProxyFlags = FlagsOf<typeof flags>;

export const addProxy = declare({
  name: "proxy",
  does: "Stand between a client and an agent: show every call, and which rules either side breaks.",
  args: [["<url>", "the agent, its card, or its host"]],
  flags,
  help: `
Examples:
  $ assay proxy http://127.0.0.1:9999                        then point your client at http://127.0.0.1:4050
  $ assay proxy https://agents.example.com/maps --record
  $ assay proxy http://127.0.0.1:9999 --report har=talk.har --report json=verdicts.json
  $ assay proxy http://127.0.0.1:9999 --keep-card            to see what a client asks for that verifies signatures

Everything is passed on as it came, event by event; what has to be changed is said: the Host, and the addresses on the card.
The proxy refuses web pages of other sites; --allow-host <host> names one that may use it.
What clients show as a login goes to the address you name, and with --trust-host to others. --header, --bearer and the like are for the
proxy's own request for the card. Ctrl-C ends it and writes the report.
Exit codes: 0 no rule broken by either side, as far as it crossed · 1 a rule broken, or less than --fail-on asks for · 2 wrong usage, or
nothing crossed that could be judged · 3 our own error`,
  action: async () => (await import("../actions/proxy.ts")).proxy,
});
