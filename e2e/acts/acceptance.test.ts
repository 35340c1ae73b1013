import { startTestbed, type Testbed } from "@assay/agents";
import { readCorpus } from "@assay/scenarios";
import { afterAll, describe, expect, test } from "vitest";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { line, rowsOf } from "./rows.fixture.ts";

const bed: Testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.1 });
afterAll(() => bed.close(0));

const files = readCorpus(["acceptance.yaml"]);
const { mutants, variants } = await bed.families();

const bindings = ["jsonrpc", "rest", "grpc"] as const;
const scenarios = [
  "agent-card-echo",
  "agent-card-spec",
  "spec-extended-card",
  "echo-send-message",
  "spec-message-only",
  "spec-task-lifecycle",
  "spec-get-task",
  "spec-task-failure",
  "spec-data-types",
  "spec-streaming",
  "spec-multi-turn",
  "spec-task-cancel",
  "spec-cancel-with-metadata",
  "spec-list-tasks",
  "spec-return-immediately",
  "error-task-not-found",
  "error-cancel-not-found",
  "error-cancel-terminal",
  "error-send-terminal",
  "error-send-invalid-task",
  "error-push-not-supported",
  "error-subscribe-not-found",
  "subscribe-to-task",
  "stream-message-only",
  "stream-task-lifecycle",
  "multi-turn-context-preserved",
  "get-task-with-history",
  "get-task-after-failure",
  "subscribe-after-stream-disconnect",
];
const older = ["spec03-agent-card", "spec03-send-message", "spec03-task-lifecycle", "spec03-streaming"];
const everyRow = [
  ...scenarios.flatMap((id) => bindings.map((binding) => `${binding}/${id}`)),
  ...older.map((id) => `v03/${id}`),
];

test("acceptance.yaml has a row for each scenario on each binding, and all are green on our test bed", async () => {
  const rows = await rowsOf(bed.url, files);
  expect(rows.map(({ row }) => row).toSorted()).toEqual(everyRow.toSorted());
  expect(rows.filter(({ verdict }) => verdict !== "pass").map(line)).toEqual([]);
});

interface Catch {
  readonly mutant: string;
  /** all that turns red */
  readonly red: readonly string[];
  /** where it shows; on every binding, unless given */
  readonly on?: readonly string[];
}

const inJson = ["jsonrpc", "rest"];

/** For each scenario an agent that gets it wrong, and as little else as can be. */
const caught: readonly Catch[] = [
  { red: ["agent-card-echo"], mutant: "CARD-005.left-out" },
  { red: ["agent-card-spec"], mutant: "CARD-003.no-name" },
  { red: ["spec-extended-card"], mutant: "XCARD-003.open" },
  { red: ["spec-extended-card"], mutant: "XCARD-003.any-token" },
  { red: ["spec-extended-card"], mutant: "XCARD-005.delta" },
  { red: ["echo-send-message"], mutant: "SEND-020.in-your-name" },
  { red: ["spec-message-only"], mutant: "SEND-020.as-the-user" },
  { red: ["spec-task-lifecycle"], mutant: "DATA-024.no-id" },
  { red: ["spec-get-task"], mutant: "GET-004.read-once" },
  { red: ["spec-task-failure"], mutant: "SEND-008.failed-goes-on" },
  { red: ["spec-data-types"], mutant: "DATA-023.mime-type", on: inJson },
  { red: ["spec-data-types"], mutant: "DATA-021.hex", on: inJson },
  { red: ["spec-data-types", "spec-multi-turn", "spec-task-lifecycle"], mutant: "SEND-011.no-artifacts" },
  { red: ["spec-streaming"], mutant: "STREAM-022.every-chunk-last" },
  { red: ["spec-multi-turn"], mutant: "CTX-018.other-context" },
  { red: ["spec-task-cancel"], mutant: "CANCEL-001.wants-metadata" },
  { red: ["spec-cancel-with-metadata"], mutant: "CANCEL-007.no-metadata" },
  { red: ["spec-list-tasks"], mutant: "LIST-001.in-context" },
  { red: ["spec-return-immediately"], mutant: "SEND-013.stored-late" },
  { red: ["error-task-not-found", "error-send-invalid-task"], mutant: "GET-002.empty" },
  { red: ["error-cancel-not-found"], mutant: "CANCEL-003.not-cancelable" },
  { red: ["error-cancel-terminal"], mutant: "CANCEL-002.ended-too" },
  { red: ["error-cancel-terminal"], mutant: "ERR-029.internal" },
  { red: ["error-send-terminal"], mutant: "LIFE-002.reopened" },
  { red: ["error-send-invalid-task"], mutant: "CTX-008.new-task" },
  { red: ["error-send-invalid-task"], mutant: "CTX-009.keeps-it" },
  { red: ["error-push-not-supported"], mutant: "CAP-004.unregistered" },
  { red: ["error-subscribe-not-found"], mutant: "JSONRPC-019.empty-stream", on: ["jsonrpc"] },
  { red: ["error-subscribe-not-found"], mutant: "GRPC-017.ends-well", on: ["grpc"] },
  {
    red: ["error-subscribe-not-found", "error-task-not-found", "error-cancel-not-found", "error-send-invalid-task"],
    mutant: "ERR-020.bad-request",
    on: ["rest"],
  },
  { red: ["subscribe-to-task"], mutant: "SUB-001.no-snapshot" },
  { red: ["stream-message-only"], mutant: "STREAM-002.says-it-twice" },
  { red: ["stream-task-lifecycle"], mutant: "STREAM-004.chats" },
  { red: ["multi-turn-context-preserved"], mutant: "CTX-010.new-context" },
  { red: ["get-task-with-history"], mutant: "HIST-002.first-ones" },
  { red: ["get-task-after-failure"], mutant: "CTX-018.other-task" },
  { red: ["subscribe-after-stream-disconnect"], mutant: "STREAM-013.dies-with-client" },
  { red: ["spec03-agent-card"], mutant: "V03-CARD-002.number", on: ["v03"] },
  { red: ["spec03-send-message"], mutant: "V03-DATA-001.no-kind", on: ["v03"] },
  { red: ["spec03-task-lifecycle"], mutant: "V03-DATA-003.new-state", on: ["v03"] },
  { red: ["spec03-streaming"], mutant: "V03-STREAM-004.never-final", on: ["v03"] },
];

const redRows = ({ red, on = bindings }: Catch): string[] =>
  red.flatMap((id) => on.map((binding) => `${binding}/${id}`)).toSorted();

test("every row has an agent on which it turns red", () => {
  const red = new Set(caught.flatMap(redRows));
  expect(everyRow.filter((row) => !red.has(row))).toEqual([]);
});

/** `npm test` tries every 14th of them. */
const tried = sampleOf(caught, 14);

describe.concurrent("on the agent that gets it wrong", () => {
  test.each(tried.map((each) => [each.red.join(", "), each.mutant, each] as const))(
    "%s turns red, and nothing else: %s",
    async (_, mutant, expected) => {
      const { base } = mutants.find(({ id }) => id === mutant)!;
      const rows = await rowsOf(bed.url, files, {
        elsewhere: { [base]: `mutants/${mutant}` },
        only: ({ agent }) => agent === base,
      });
      const red = rows.filter(({ verdict }) => verdict === "fail");
      expect(red.map(({ row }) => row).toSorted(), red.map(line).join("\n")).toEqual(redRows(expected));
      // What is skipped, or held up by the misbehaviour, would not be green either.
      expect(rows.filter(({ verdict }) => verdict !== "fail" && verdict !== "pass").map(line)).toEqual([]);
    },
  );
});

test("a card without its address is read all the same; what it offers elsewhere is examined there", async () => {
  const rows = await rowsOf(bed.url, files, {
    elsewhere: { spec03: "mutants/V03-CARD-001.no-url" },
    only: ({ agent }) => agent === "spec03",
  });
  expect(rows.map(({ row, verdict }) => `${row} ${verdict}`)).toEqual([
    "v03/spec03-agent-card fail",
    "v03/spec03-send-message pass",
    "v03/spec03-task-lifecycle pass",
    "v03/spec03-streaming pass",
  ]);
});

/** Where a test bed promises more than the protocol asks of everybody, an agent within the rules may still be red. */
const promised: Readonly<Record<string, readonly string[]>> = {
  "newer-elsewhere": ["agent-card-spec"],
  "unconfigured-card": ["spec-extended-card"],
  "no-last-chunk": ["spec-streaming"],
  "artifacts-at-the-close": ["spec-streaming", "stream-task-lifecycle"],
  "late-cancel": ["spec-task-cancel", "spec-cancel-with-metadata"],
  "cancel-later": ["spec-task-cancel", "spec-cancel-with-metadata"],
  "no-history": ["get-task-with-history"],
  "purges-ended": [
    "spec-get-task",
    "spec-task-failure",
    "get-task-after-failure",
    "spec-list-tasks",
    "get-task-with-history",
    "multi-turn-context-preserved",
    "spec-task-cancel",
    "spec-cancel-with-metadata",
    "stream-task-lifecycle",
    "error-cancel-terminal",
    "error-send-terminal",
    "error-send-invalid-task",
    "error-push-not-supported",
  ],
};

/** They follow work of several seconds, and some of these agents take their time with every byte. */
const patient = ["spec-return-immediately", "subscribe-to-task", "subscribe-after-stream-disconnect"];

/**
 * They do what no scenario asks for: they refuse the message of every scenario, fail every task, or show a moment
 * later, or on another page, what a scenario looks for at once. What `assay test` makes of them is shown in e2e/proof
 * and e2e/surroundings.
 */
const unfit = [
  "cut-stream",
  "reads-data-alone",
  "forbids-messages",
  "wants-other-messages",
  "takes-orders-only",
  "fails-every-task",
  "wants-payment",
  "replica-lag",
  "sparse-pages",
  "data-only",
];

/** With `npm run prove` all on every binding, else every 20th on one of them in turn. */
const fit = variants.filter(({ id, base }) => base === "spec" && !unfit.includes(id));
const odd = sampleOf(fit, 20).map(
  ({ id }, index) => [id, provesAll ? bindings : [bindings[index % bindings.length]!]] as const,
);

describe.concurrent("an agent that is odd within the rules is not accused", () => {
  test.each(odd)("%s over %s", async (id, on) => {
    const rows = await rowsOf(bed.url, files, {
      elsewhere: { spec: `variants/${id}` },
      on,
      only: (scenario) =>
        scenario.agent === "spec" && !patient.includes(scenario.id) && !promised[id]?.includes(scenario.id),
    });
    expect(rows.filter(({ verdict }) => verdict !== "pass").map(line)).toEqual([]);
  });
});
