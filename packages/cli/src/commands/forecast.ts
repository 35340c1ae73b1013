import { connectionOptions, testOptions } from "@assay/suite/options";
import { list } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const { shutdownTimeout } = testOptions;

const flags = [
  ["--card-only", "read only the card, and send no message"],
  ["--profile <file>", "forecast for your own client, too: a file of assay client --write-profile (repeatable)", list],
  ["--json", "print the forecast as JSON"],
  {
    shutdownTimeout: {
      ...shutdownTimeout,
      means: "after SIGTERM or Ctrl-C: time to cancel tasks before Assay exits",
    },
  },
  "Connection",
  connectionOptions,
] as const;
export type ForecastFlags = FlagsOf<typeof flags>;

export const addForecast = declare("forecast", {
  group: "test",
  does: "Forecast which clients and frameworks work with an agent.",
  args: [["<agent>", "the agent's address, or a recorded run: its name, last, or its file"]],
  flags,
  examples: [
    ["assay forecast http://127.0.0.1:9999"],
    ["assay forecast https://agents.example.com/maps --card-only"],
    ["assay forecast last", "from the last run of assay test, without another message"],
    ["assay test http://127.0.0.1:9999 --report forecast=clients.md"],
  ],
  notes: [
    "Assay has measured each client once, in the situations of assay client. It tests the agent at depth quick (at most 8 messages) and matches both. It runs none of the clients. docs/forecast.md shows how often the forecast is right.",
    "Each forecast is about one version of a client on the day of its measurement. What was not measured is unknown.",
  ],
  exitCodes: {
    0: "the forecast is complete, whatever it says",
    2: "wrong usage, or the agent has no card that Assay can read",
    130: "interrupted",
  },
  action: async () => (await import("../actions/forecast.ts")).forecastClients,
});
