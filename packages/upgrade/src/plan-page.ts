import { plural } from "@assay/suite/text";
import type { PlanBlock, PlanPage } from "@assay/viewer/documents";
import type { ClientSupport } from "./clients/client-support.ts";
import type { CardPlan, OperationPlan, Sample, TrafficChange, UpgradePlan } from "./plan.ts";

export const heading = (text: string, level: 2 | 3 = 2): PlanBlock => ({ is: "heading", level, text });
export const text = (words: string): PlanBlock => ({ is: "text", text: words });
export const list = (items: readonly string[]): PlanBlock => ({ is: "list", items });
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): PlanBlock[] =>
  rows.length ? [{ is: "table", head, rows }] : [];

/** Lays a plan out for terminal, Markdown and page. */
export function planPage(plan: UpgradePlan, isRecorded: boolean): PlanPage {
  const { agent, from, messages, changes, operations } = plan;
  const recorded = operations.filter(({ samples }) => samples.length).length;
  return {
    title: `Upgrade ${agent.name} from A2A ${from} to 1.0`,
    answer: `${plural(changes.length, "kind of change", "kinds of changes")} in the traffic of ${plural(recorded, "operation")}, recorded with ${messages.sent} of at most ${plural(messages.announced, "message")}.`,
    blocks: [
      ...summary(plan, isRecorded),
      heading("Steps"),
      ...steps(plan),
      heading("Agent Card"),
      ...card("For both versions, while older clients exist", plan.cards.both, from),
      ...card("For 1.0 alone", plan.cards.next, from),
      heading("What changes in the traffic"),
      ...trafficTable(changes),
      ...unseen(plan),
      ...errors(plan),
      heading("Operations, today and in 1.0"),
      ...operations.flatMap(operationBlocks),
      heading("Clients"),
      ...clients(plan),
    ],
  };
}

/** Lists the kinds of changes with an example from the traffic. */
export const trafficTable = (changes: readonly TrafficChange[]): PlanBlock[] =>
  table(
    ["Change", "Your traffic", "To do", "Operations"],
    changes.map((each) => [
      each.what,
      each.example,
      `${each.fix} (§${each.section})`,
      each.operations.length > 5 ? "almost all" : each.operations.join(", "),
    ]),
  );

/** Lists the kinds of changes without an example. */
const unseen = ({ unseen: all, unsent, operations: [first] }: UpgradePlan): PlanBlock[] => [
  ...(all.length ? [text("The traffic did not show these changes. Make them where they concern your agent.")] : []),
  ...table(
    ["Change", "To do"],
    all.map(({ what, fix, section }) => [what, `${fix} (§${section})`]),
  ),
  ...(unsent === undefined
    ? []
    : [
        text(
          `The plan shows no task, because no message succeeded: ${unsent}.${first?.names.some(({ binding }) => binding === "HTTP+JSON") ? " Over HTTP+JSON, Assay writes messages in the JSON of a2a.proto (content, ROLE_USER), as the SDKs do." : ""}`,
        ),
      ]),
];

function summary({ agent, speaks, sdk, run }: UpgradePlan, isRecorded: boolean): PlanBlock[] {
  const migration = sdk?.migration;
  // An agent that speaks 1.0 already has such a release.
  const needsRelease = sdk !== undefined && !speaks.includes("1.0");
  return [
    ...table(
      ["Agent", agent.name],
      [
        ["Address", agent.url],
        ["Card", agent.cardUrl],
        ["Speaks today", speaks.map((version) => `A2A ${version}`).join(", ")],
        ["SDK", sdk?.because ?? "not recognised; name it with --sdk for its migration notes"],
        ...(needsRelease ? [["Release with 1.0", migration?.release ?? "Assay knows none"]] : []),
        ...(migration?.notes === undefined ? [] : [["Migration notes", migration.notes]]),
        ...(isRecorded ? [["Recording", run]] : []),
      ],
    ),
  ];
}

const steps = ({ steps: all }: UpgradePlan): PlanBlock[] =>
  all.flatMap(({ title, does, gate, proves }, index) => [
    heading(`${index + 1}. ${title}`, 3),
    list(does),
    text("Gate:"),
    { is: "code", text: gate } as const,
    text(proves),
  ]);

function card(title: string, { card: json, sides, changes, toDo }: CardPlan, from: string): PlanBlock[] {
  const isBoth = "url" in json;
  return [
    heading(title, 3),
    ...(isBoth
      ? [
          text(
            `Clients of ${from} read the older members, clients of 1.0 read supportedInterfaces. The addresses assume that both versions share them: change them if they do not.`,
          ),
        ]
      : table(
          ["Today", "In 1.0", "Why"],
          changes.map(({ today, next, because }) => [today, next, because]),
        )),
    ...(toDo.length ? [text("Complete it before you publish it:"), list(toDo)] : []),
    { is: "sides", title: `${title}: the card`, today: `Today, A2A ${from}`, next: "The new card", rows: sides },
  ];
}

const errors = ({ errors: all, operations }: UpgradePlan): PlanBlock[] =>
  all.length
    ? [
        heading("Errors", 3),
        ...table(
          ["Error", "Binding", "Today", "In 1.0", "Seen at"],
          all.map((each) => [
            `${each.error}Error`,
            each.binding,
            each.today,
            each.next,
            each.operations.length === operations.length ? "all operations" : each.operations.join(", "),
          ]),
        ),
      ]
    : [];

/** Lays out one operation: its names, its requirements, and its traffic next to 1.0. */
export const operationBlocks = ({
  operation: name,
  names,
  behaviour,
  samples,
  unrecorded,
}: OperationPlan): PlanBlock[] => [
  heading(name, 3),
  ...table(
    ["Binding", "Today", "In 1.0"],
    names.map(({ binding, today, next }) => [binding, today ?? "(none)", next]),
  ),
  ...(behaviour.length ? [list(behaviour.map(behaviourText))] : []),
  ...(unrecorded === undefined ? [] : [text(unrecorded)]),
  ...samples.flatMap((each, index) => sample(each, index > 0)),
];

const behaviourText = ({ rule, text: says, today, isMet }: OperationPlan["behaviour"][number]): string =>
  `${isMet === false ? "Change: " : ""}${says}${today === undefined ? "" : ` Today: ${today}`}${isMet ? " This is right." : ""} (${rule})`;

function sample(
  { binding, dialect, error, request, response, faults, exchange }: Sample,
  isDetail: boolean,
): PlanBlock[] {
  const about = `${binding}${error === undefined ? "" : `, ${error}Error`} (exchange ${exchange})`;
  const columns = { today: `Today, A2A ${dialect}`, next: "In 1.0", ...(isDetail && ({ isDetail } as const)) };
  return [
    ...(faults.length
      ? [text(`This response breaks A2A ${dialect}, so repair it first: ${faults.slice(0, 3).join("; ")}`)]
      : []),
    { is: "sides", title: `Request over ${about}`, ...columns, isRequest: true, rows: request },
    { is: "sides", title: `Response over ${about}`, ...columns, rows: response },
  ];
}

function clients({ clients: { breaking, ready }, from }: UpgradePlan): PlanBlock[] {
  const isMeasured = [...breaking, ...ready].some(({ measured }) => measured);
  const row = (client: ClientSupport): string[] => [
    `${client.title} ${client.version}`,
    client.versions.join(", "),
    ...(isMeasured ? [client.measured?.[client.versions[0]!] ?? ""] : []),
    client.source,
  ];
  const head = ["Client", "Speaks", ...(isMeasured ? ["Results in its newest version"] : []), "Source"];
  return [
    heading(`Clients that stop working without ${from}`, 3),
    ...table(head, breaking.map(row)),
    ...(breaking.length ? [] : [text("Assay knows none.")]),
    heading("Clients that speak 1.0", 3),
    ...table(head, ready.map(row)),
    text("Each row is one release of a client. Test your own client: assay upgrade --client -- <command>"),
  ];
}
