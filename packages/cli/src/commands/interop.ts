import { configOptions, connectionOptions, testOptions } from "@assay/suite/options";
import { atLeastOne, collect, seconds } from "../flag-values.ts";
import { reportOptions } from "../option-flags.ts";
import { declare, type FlagsOf } from "./command.ts";

const { shutdownTimeout } = testOptions;

const flags = [
  [
    "--relay <prompt>",
    'prompt that makes <a> call another agent, such as "Ask the agent at {url}: {text}" (default: relay in assay.yaml)',
  ],
  ["--peer-relay <prompt>", "the same prompt for agent <b>"],
  ["--peer-bearer <secret>", "bearer token for <b> (env:NAME or @file); --bearer is for <a>"],
  ["--peer-header <name:value>", "send this header to <b> (repeatable)", collect],
  ["--text <text>", "text they send to each other", String, "Reply with the word OK."],
  ["--at-once <n>", "messages to send at the same time, in each direction (default: 4)", atLeastOne],
  ["--task-timeout <seconds>", "time limit of an agent for one message (default: 60)", seconds],
  [
    "--host <address>",
    "address for the proxies between them; both agents must be able to reach it",
    String,
    "127.0.0.1",
  ],
  [
    "--stand-in <driver>",
    "SDK that calls the other agent for an agent that cannot relay: a driver of the matrix, or a folder with a slash in it (default: Assay's own client)",
  ],
  ["--no-test", "skip the test of each agent as a server"],
  ["--json", "print only the result, as JSON"],
  reportOptions,
  {
    shutdownTimeout: {
      ...shutdownTimeout,
      means: "after SIGTERM or Ctrl-C: time to cancel tasks before Assay exits",
    },
  },
  "Configuration",
  configOptions,
  "Connection",
  connectionOptions,
] as const;
export type InteropFlags = FlagsOf<typeof flags>;

export const addInterop = declare("interop", {
  group: "many",
  does: "Check that two agents can talk to each other, both ways.",
  args: [
    ["<a>", "first agent: its address, card or host"],
    ["<b>", "second agent"],
  ],
  flags,
  examples: [
    ["assay interop http://127.0.0.1:9999 http://127.0.0.1:8888"],
    ["assay interop http://127.0.0.1:9999 https://b.test --peer-bearer env:TOKEN"],
    ['assay interop https://a.test https://b.test --relay "Ask {url}: {text}"'],
    ["assay interop https://a.test https://b.test --stand-in a2a-python"],
    ["assay interop https://a.test https://b.test --report html=interop.html"],
  ],
  notes: [
    "Assay compares the cards, tests each agent, and lets the agents talk.",
    "Assay sends each agent up to 3 messages for its test. An agent that can relay then gets 2 more, 4 at the same time, and one whose task Assay cancels. Each of these 7 messages makes it call the other agent once.",
    "If an agent cannot relay, a client stands in for it and sends the same messages to the other agent. The result then says nothing about the client of that agent.",
  ],
  exitCodes: {
    0: "they understand each other, as far as Assay could try",
    1: "they do not",
    2: "wrong usage, or one of them cannot be reached",
    3: "internal error",
  },
  action: async () => (await import("../actions/interop.ts")).runInterop,
});
