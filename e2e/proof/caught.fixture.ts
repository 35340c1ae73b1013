import type { Testbed } from "@assay/agents";
import type { Binding, DialectVersion } from "@assay/protocol";
import { isDraft, ruleIn } from "@assay/suite";
import type { ConformanceResult } from "@assay/suite/report";
import { expect } from "vitest";
import { line } from "./proving.fixture.ts";

type Mutant = Awaited<ReturnType<Testbed["families"]>>["mutants"][number];

/** Breaches of a MUST that the ambiguities want to be no more than a warning, even where we read strictly. */
export const warnedOnly: Readonly<Record<string, string>> = {
  "CARD-012.rest": "AMB-24: any other name may be that of a custom binding",
  "CARD-029.two-flows": "AMB-47: OpenAPI allows several flows, and only strict parsers refuse them",
  "CARD-005.empty": "the schema asks for a string, and §8.4.1 shows an empty required one",
  "CANCEL-006.silent": "no sentence asks for the event; that the stream ends is what the text demands",
  "CTX-012.old-task": "no sentence says that such a message must begin a new task",
  "LIST-005.always-fifty": "the agent returns the requested tasks, and clients use nextPageToken",
  "CARD-017.unlisted-rest": "AMB-24: MUST in one section, SHOULD in another",
  "CARD-017.unlisted-jsonrpc": "AMB-24: MUST in one section, SHOULD in another",
  "SEC-003.fetches": "AMB-19: agent and tester share a machine, where private addresses may be wanted",
  "SEC-003.reads-files": "what is shown may come from elsewhere; only our own canary proves a fetch",
  "LIST-006.unfiltered": "AMB-31: whether it counts under the filter is not said outright",
  "INTASK-003.http-link": "that the address should be one of https is a SHOULD",
  "CANCEL-001.no-effect": "the task may have been past cancelling",
  "CTX-013.unheard-01": "no text says that a message must move the task on",
  "CTX-013.still-waiting": "no text says that a message must move the task on",
  "JSONRPC-008.number-as-method": "the request is refused, with a code that is near",
  "CANCEL-001.completes": "no version has a MUST about the state after a cancel",
  "JSONRPC-004.whole-numbers": "JSON-RPC advises against fractional ids",
  "INTASK-003.password": "it is told by the words, and words may mislead",
};

/** The same for versions before 1.0, whose servers were not of one mind (docs/spec/real-world.md). */
export const warnedBefore10: Readonly<Record<string, string>> = {
  "CARD-001.older-place": "where the card lies is a recommendation, and 0.2 had it there",
  "JSONRPC-009.any-role-03": "before 1.0 no text asks an agent to validate",
  "JSONRPC-009.invalid-request": "Python 0.2 calls wrong parameters an invalid request",
  "V03-CARD-014.undeclared": "that the names have to be declared is our inference; the schema has no word on it",
  "PUSH-010.first-one": "0.3 SDKs give a task one configuration, under the id of the task (A35)",
};

/** What lenient readers do not judge at all, and strict ones do. */
export const strictOnly: Readonly<Record<string, string>> = {
  "VER-010.exact": "AMB-11: the format of the header has no patch number",
  "LIST-018.strictly-after": "AMB-30: the name says after, the comment greater or equal",
};

/** Breaches that are remarked on and no more, however strictly we read. */
export const remarkedOnly: Readonly<Record<string, string>> = {
  "CARD-042.serves-more": "only the agent knows which minor version is the newest",
  "VER-019.serves-more": "only the agent knows which minor version is the newest",
  "CTX-010.loses-history": "the agent decides what it keeps in the history",
  "DATA-018.said-twice": "the agent decides what it keeps in the history",
  "STREAM-009.queued-again": "no text orders the states of a task that has not ended",
  "SEND-001.task-left-behind": "what an agent keeps for itself is not told by any text",
  "DATA-008.whole-seconds": "AMB-39: precision is wanted where available, and it may not be",
};

/** A broken MUST that a released specification states must fail, at the latest when we read strictly. */
export function isFirm(rule: string, dialect: DialectVersion): boolean {
  const { level, basis, since } = ruleIn(dialect, rule)!;
  return (
    level.startsWith("MUST") &&
    since !== "main" &&
    !isDraft(since) &&
    (basis === "stated" || basis === "schema" || basis === "prose")
  );
}

const isFailed = ({ verdict }: ConformanceResult): boolean => verdict === "fail";
const isWarned = ({ warning }: ConformanceResult): boolean => warning !== undefined;
const isRemarked = ({ info }: ConformanceResult): boolean => info !== undefined;

export const ruleOfMutant = (mutant: string): string => mutant.split(".", 1)[0]!;

/** Runs the check of a mutant's rule on it; it must be caught as hard as the rule's weight in that version asks. */
export async function expectCaught(
  mutant: string,
  dialect: DialectVersion,
  run: (strict: boolean) => Promise<readonly ConformanceResult[]>,
): Promise<readonly ConformanceResult[]> {
  const rule = ruleOfMutant(mutant);
  const told = await run(false);
  const seen = told.map(line).join("\n");
  if (told.some(isFailed)) return told;
  const isWarnedOnly = mutant in warnedOnly || (dialect !== "1.0" && mutant in warnedBefore10);
  if (isFirm(rule, dialect) && !isWarnedOnly && !(mutant in remarkedOnly)) {
    expect(mutant in strictOnly || told.some(isWarned), seen).toBe(true);
    const strictly = await run(true);
    expect(strictly.some(isFailed), `${seen}\nstrictly:\n${strictly.map(line).join("\n")}`).toBe(true);
  } else if (ruleIn(dialect, rule)!.level === "MAY" || mutant in remarkedOnly) {
    expect(told.some(isRemarked), seen).toBe(true);
  } else if (!told.some(isWarned)) {
    // What the text demands in one place and permits in another is remarked on, until we read strictly.
    expect(told.some(isRemarked), seen).toBe(true);
    const strictly = await run(true);
    expect(strictly.some(isWarned), strictly.map(line).join("\n")).toBe(true);
  }
  return told;
}

/** A rule is said to hold, and nothing is said besides. */
export const isUnseen = ({ verdict, warning, info }: ConformanceResult): boolean =>
  verdict === "pass" && warning === undefined && info === undefined;

/** Mutants that are wrong on some bindings only, besides those that bend what other bindings do not have. */
const wrongOnlyOn: Readonly<Record<string, readonly Binding[]>> = {
  "CAP-004.no-path": ["HTTP+JSON"],
  "CAP-004.no-paths": ["HTTP+JSON"],
  // Two tasks at once are made on the first interface.
  "CTX-002.at-once": ["JSONRPC"],
  "CTX-007.at-once": ["JSONRPC"],
  "STREAM-019.at-once": ["JSONRPC"],
  // Over gRPC an empty object is a Task without members.
  "CANCEL-008.says-nothing": ["JSONRPC", "HTTP+JSON"],
  "ERR-003.no-details": ["JSONRPC"],
  "GET-002.null": ["JSONRPC"],
  // Over gRPC such a status has no state, which is for DATA-017 to tell.
  "LIFE-001.unspecified": ["JSONRPC", "HTTP+JSON"],
  // Over gRPC an empty list and none are the same bytes.
  "LIST-019.empty-lists": ["JSONRPC", "HTTP+JSON"],
  // Parts over HTTP+JSON and gRPC are those of the .proto, which have neither.
  "JSONRPC-009.any-role-03": ["JSONRPC"],
  "SEND-001.wants-type": ["JSONRPC"],
  "V03-PUSH-007.web-page": ["JSONRPC"],
  "CARD-016.nobody-there": ["HTTP+JSON"],
  "CARD-016.wrong-place": ["HTTP+JSON"],
  "CARD-016.wrong-binding": ["JSONRPC"],
  "AUTH-006.open-lists": ["HTTP+JSON"],
  "BIND-002.own-store": ["JSONRPC"],
  "BIND-003.not-found": ["HTTP+JSON"],
  "CAP-004.unregistered": ["JSONRPC", "GRPC"],
  "ERR-002.lines": ["HTTP+JSON", "GRPC"],
  "ERR-002.single": ["JSONRPC"],
  "ERR-003.private-type": ["JSONRPC"],
  "ERR-005.unprocessable": ["HTTP+JSON"],
  "ERR-020.bad-request": ["HTTP+JSON"],
  "ERR-022.not-implemented": ["HTTP+JSON"],
  "ERR-023.not-allowed": ["HTTP+JSON"],
  "ERR-028.http-version": ["HTTP+JSON"],
  "GEN-013.http-412": ["HTTP+JSON"],
  "SEND-003.breaks-down": ["JSONRPC"],
  "SEND-006.breaks-down": ["JSONRPC"],
  "STREAM-001.one-document": ["JSONRPC", "HTTP+JSON"],
  "TEN-003.unknown-member": ["JSONRPC", "HTTP+JSON"],
  "TEN-005.any": ["JSONRPC", "HTTP+JSON"],
  "TEN-006.one-room": ["JSONRPC"],
  // Over gRPC nothing comes before the first message, so this looks like a slow answer.
  "SUB-004.waits-for-it": ["JSONRPC", "HTTP+JSON"],
  "VER-013.streams-unchecked": ["JSONRPC"],
  // In 0.3 the other bindings write other JSON, and their errors have no fixed numbers.
  "SEND-003.breaks-down-03": ["JSONRPC"],
  "LIFE-001.thinking-03": ["JSONRPC"],
  "STREAM-008.bare-03": ["JSONRPC"],
  "ERR-022.unsupported-03": ["JSONRPC"],
  "DATA-016.stub-03": ["JSONRPC"],
  "DATA-017.bare-03": ["JSONRPC"],
  "DATA-019.turned-03": ["JSONRPC"],
  "DATA-020.empty-file-03": ["JSONRPC"],
  "DATA-021.hex-03": ["JSONRPC"],
  "V03-STREAM-004.never-final": ["JSONRPC"],
  "V03-VER-002.empty": ["JSONRPC"],
  // Over HTTP a task that is not there and a path that is not there look alike.
  "V03-CAP-001.no-cancel": ["JSONRPC", "GRPC"],
};

/** Mutants that change what is written as JSON, and leave it as it is over gRPC. `npm run prove` sees that they do. */
const leavesGrpcAsItIs: readonly { readonly because: string; readonly mutants: readonly string[] }[] = [
  {
    because: "a field of protobuf has one type, and a message no other fields than those of its schema",
    mutants: [
      "SEND-001.bare",
      "SEND-001.both",
      "STREAM-008.bare",
      "STREAM-008.two-in-one",
      "GET-005.wrapped",
      "CANCEL-001.wrapped",
      "LIFE-001.thinking",
      "PUSH-005.nested",
      "DATA-005.two-l",
      "DATA-011.numbered",
      "DATA-017.bare",
      "DATA-020.both",
      "DATA-020.empty-text",
      "DATA-020.raw-and-url",
      "DATA-023.mime-type",
      "DATA-026.text-flags",
      "DATA-027.list",
      "DATA-034.single",
      "VER-006.old-forms",
      "XCARD-002.null",
      "EXT-012.keyed",
      "EXT-013.new-member",
    ],
  },
  {
    because: "an error of gRPC is a status with details, which the codec does not write",
    mutants: ["GET-003.stack-trace", "SUB-008.breaks-down", "ERR-001.wordless", "ERR-006.no-field"],
  },
  {
    because: "it is made for the bindings that write JSON",
    mutants: ["BIND-005.renames", "DATA-016.stub-first", "V03-STREAM-005.all-final"],
  },
];
const unseenOverGrpc = new Set(leavesGrpcAsItIs.flatMap(({ mutants }) => mutants));

/** Bytes of HTTP are not what gRPC carries, and its frames not what the others do. */
export function showsOn({ id, differs }: Mutant, binding: string): boolean {
  const only: readonly string[] | undefined = wrongOnlyOn[id];
  if (only) return only.includes(binding);
  const layers = Object.keys(differs(1).layers ?? {});
  if (binding === "GRPC") return !layers.includes("http") && !unseenOverGrpc.has(id);
  return !(layers.length === 1 && layers[0] === "grpc");
}

const words = { JSONRPC: "jsonrpc", "HTTP+JSON": "rest", GRPC: "grpc" } as const;

/** A binding on which the mutant shows and of which its rule speaks; the turn decides among several. */
export function bindingInTurn(mutant: Mutant, dialect: DialectVersion, turn: number): Binding | undefined {
  const rule = ruleIn(dialect, ruleOfMutant(mutant.id));
  const shown = (Object.keys(words) as Binding[]).filter(
    (binding) => showsOn(mutant, binding) && rule?.bindings.includes(words[binding]),
  );
  return shown[turn % shown.length];
}

/** It is said to be hidden where the check of its rule sees it. */
export const isSeenAfterAll = (mutant: string, result: ConformanceResult): boolean =>
  unseenOverGrpc.has(mutant) &&
  result.interface?.binding === "GRPC" &&
  !isUnseen(result) &&
  result.verdict !== "not-applicable";

export const saidToBeHidden: readonly string[] = [...unseenOverGrpc];
