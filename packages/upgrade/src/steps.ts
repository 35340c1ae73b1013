import { gateOptions } from "@assay/suite/options";
import { errorName } from "./behaviour.ts";
import type { UpgradePlan, UpgradeStep } from "./plan.ts";

interface StepFacts extends Pick<UpgradePlan, "agent" | "from" | "sdk" | "clients" | "speaks"> {
  /** the traffic shows a task, so a run can compare tasks */
  readonly showsTask: boolean;
  /** the bindings of the agent */
  readonly bindings: readonly string[];
}

const baseline = gateOptions.baselineUpdate.default;

/** Needed while an agent serves two versions. */
const together = ["Keep one task store behind both versions.", "Publish the card for both versions (below)."];

/** Without a task nothing can be compared, and `--equivalent` would end with 2. */
const withoutTask =
  "The run showed no task. If your agent makes tasks, set prompts.task in assay.yaml and add --equivalent to the gate.";

/**
 * Returns the steps of the switch: new clients first, then the new version alone. Each step can be undone on its own.
 */
export function stepsFor({
  agent: { url },
  from,
  sdk,
  clients,
  speaks,
  showsTask,
  bindings,
}: StepFacts): UpgradeStep[] {
  const migration = sdk?.migration;
  const isServed = speaks.includes("1.0");
  // Accepts known faults of the SDK, because the owner of an agent cannot repair them.
  const accepting = migration ? " --ignore-known-sdk" : "";
  const judged = ` --baseline ${baseline}${accepting}`;
  const serve: UpgradeStep = {
    title: `Serve 1.0 next to ${from}`,
    does: [
      ...(migration
        ? [
            `Upgrade to ${migration.release}.${migration.notes === undefined ? "" : ` Migration notes: ${migration.notes}`}`,
            "If a framework contains this SDK, upgrade to a release of the framework that contains the new one.",
            ...migration.hints,
            migration.keepsOlder,
            ...(bindings.includes("GRPC") && migration.keepsOlderGrpc !== undefined ? [migration.keepsOlderGrpc] : []),
          ]
        : [
            `Implement the changes below. Choose the version of each request by its A2A-Version. Answer requests without one in ${from}.`,
            together[0]!,
          ]),
      together[1]!,
      ...(showsTask ? [] : [withoutTask]),
    ],
    gate: `assay test ${url} --dialect ${from} --dialect 1.0${showsTask ? " --equivalent" : ""}${judged}`,
    proves: `Both versions conform${migration ? ", apart from known faults of the SDK" : ""}.${showsTask ? " A task made in one version is the same in the other." : ""}`,
  };
  const older = clients.breaking.length;
  return [
    {
      title: "Record where you stand",
      does: ["Fix failures of today first, or accept them as a baseline. The upgrade does not repair them."],
      gate: `assay test ${url} --dialect ${from} --baseline-update`,
      proves: `${baseline} lists the failures of today. Later gates accept them. If one of them is repaired, the gate says so: run it again with --baseline-update.`,
    },
    isServed
      ? { ...serve, title: "Make both versions equivalent", does: showsTask ? together : [...together, withoutTask] }
      : serve,
    {
      title: "Move your clients",
      does: [
        `Upgrade every client that speaks ${from} and not 1.0${older ? ` (${older} of the clients below)` : ""}.`,
        "Clients that speak both versions switch by themselves when the card lists 1.0 first.",
      ],
      gate: "assay upgrade --client -- <command that runs your client>",
      proves: "The client works with an agent that speaks only 1.0.",
    },
    {
      title: `Stop serving ${from}`,
      does: [
        "Publish the card for 1.0 alone (--write-card).",
        `Answer requests without A2A-Version with ${errorName("VersionNotSupported", bindings)}, in the form of 1.0.`,
      ],
      gate: `assay test ${url} --dialect 1.0${judged}`,
      proves: `The agent conforms to 1.0 alone${migration ? ", apart from known faults of its SDK" : ""}.`,
    },
  ];
}
