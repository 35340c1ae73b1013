import { configOptions, connectionOptions } from "@assay/suite/options";
import { atLeastOne, collect, seconds } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--relay <prompt>", 'what makes <a> ask another agent: "Ask the agent at {url}: {text}" (relay in assay.yaml)'],
  ["--peer-relay <prompt>", "the same for <b>"],
  ["--peer-bearer <secret>", "the login of <b>, as --bearer is that of <a> (env:NAME or @file)"],
  ["--peer-header <name:value>", "send this header to <b> (repeatable)", collect],
  ["--text <text>", "what they say to each other", String, "Reply with the word OK."],
  ["--at-once <n>", "how many messages at the same time, each way (4 unless given)", atLeastOne],
  ["--task-timeout <seconds>", "how long an agent may take for one message (60 unless given)", seconds],
  ["--host <address>", "where the proxies between them listen; the agents have to reach it", String, "127.0.0.1"],
  ["--no-test", "do not test each of them as a server first"],
  ["--json", "print everything as JSON, and nothing else"],
  { ...configOptions, ...connectionOptions },
] as const;
export type InteropFlags = FlagsOf<typeof flags>;

export const addInterop = declare({
  name: "interop",
  does: "Will two agents understand each other? Compares them, tests each, and lets them talk, both ways.",
  args: [
    ["<a>", "an agent, its card, or its host"],
    ["<b>", "another one"],
  ],
  flags,
  help: `
Examples:
  $ assay interop http://127.0.0.1:9999 http://127.0.0.1:8888
  $ assay interop http://127.0.0.1:9999 https://agents.example.com/maps --peer-bearer env:MAPS_TOKEN
  $ assay interop http://127.0.0.1:9999 http://127.0.0.1:8888 --relay "Ask the agent at {url} this: {text}"

Messages: up to 3 to each agent for its test, and 2 and then 4 at once to each that can relay; each of those asks the other agent once.
Exit codes: 0 they understand each other, as far as it could be tried · 1 they do not · 2 wrong usage, or one of them is not there ·
3 our own error`,
  action: async () => (await import("../actions/interop.ts")).runInterop,
});
