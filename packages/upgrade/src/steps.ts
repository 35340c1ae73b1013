import type { UpgradePlan, UpgradeStep } from "./plan.ts";

type StepFacts = Pick<UpgradePlan, "agent" | "from" | "sdk" | "clients" | "speaks">;

/** The order of the switch: new clients first, then the new version alone. Each step can be undone on its own. */
export function stepsFor({ agent: { url }, from, sdk, clients, speaks }: StepFacts): UpgradeStep[] {
  const migration = sdk?.migration;
  const isServed = speaks.includes("1.0");
  // The owner of an agent cannot repair its SDK.
  const accepting = migration ? " --ignore-known-sdk" : "";
  const serve: UpgradeStep = {
    title: `Serve 1.0 next to ${from}`,
    does: [
      ...(migration
        ? [
            `Upgrade to ${migration.release}.${migration.notes === undefined ? "" : ` Migration notes: ${migration.notes}`}`,
            "If a framework contains this SDK, upgrade to a release of the framework that contains the new one.",
            ...migration.hints,
            migration.keepsOlder,
          ]
        : [
            "Implement the changes below. Choose the version of each request by its A2A-Version; none means 0.3.",
            "Keep one task store behind both versions.",
          ]),
      "Publish the card for both versions (below).",
    ],
    gate: `assay test ${url} --dialect ${from} --dialect 1.0 --equivalent${accepting}`,
    proves: `Both versions conform${migration ? ", apart from known faults of the SDK" : ""}. A task made in one version is the same in the other.`,
  };
  const older = clients.breaking.length;
  return [
    {
      title: "Record where you stand",
      does: ["Fix failures of today first, or accept them as a baseline. The upgrade does not repair them."],
      gate: `assay test ${url} --dialect ${from} --baseline-update`,
      proves: "Later failures are new.",
    },
    ...(isServed ? [{ ...serve, title: "Make both versions equivalent" }] : [serve]),
    {
      title: "Move your clients",
      does: [
        `Upgrade every client that speaks only ${from}${older ? ` (${older} of the clients below)` : ""}.`,
        "Clients that speak both versions switch by themselves when the card lists 1.0 first.",
      ],
      gate: "assay upgrade --client -- <command that runs your client>",
      proves: "The client works with an agent that speaks only 1.0.",
    },
    {
      title: `Stop serving ${from}`,
      does: [
        "Publish the card for 1.0 alone (--write-card).",
        "Answer requests without A2A-Version with VersionNotSupportedError (-32009).",
      ],
      gate: `assay test ${url} --dialect 1.0${accepting}`,
      proves: `The agent conforms to 1.0 alone${migration ? ", apart from known faults of its SDK" : ""}.`,
    },
  ];
}
