import { nearest, type Operation, operations } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import type { Effect } from "./effect.ts";
import { type FaultKind, type FaultName, faultKind, faultNames } from "./fault-table.ts";

/** An operation of A2A, or the agent card. */
export type FaultTarget = Operation | "card";

/** One `--fault`, ready to use. */
export interface Fault {
  /** as given */
  readonly text: string;
  readonly effect: Effect;
  readonly targets: ReadonlySet<FaultTarget>;
  /** the share of calls that it affects, from 0 to 1 */
  readonly share: number;
  /** the number of calls that it affects at most */
  readonly times: number;
}

const all = Object.keys(operations) as Operation[];
const example =
  "Write it as <name>[=value][@when], for example latency=300ms, cut=3@SendStreamingMessage or status=503@GetTask:0.2.";
const seeList = "assay proxy --fault list explains every fault.";

/** Reads a fault: `latency=300ms`, `cut=3@SendStreamingMessage`, `status=503@GetTask:0.2`. */
export function parseFault(text: string): Fault {
  const [, name, value, when] = /^([^=@]+)(?:=([^@]*))?(?:@(.*))?$/s.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`--fault ${quoted(text)} names no fault`, `${example} ${seeList}`);
  if (!isFaultName(name)) {
    const meant = nearest(name, faultNames);
    throw new UsageError(
      `--fault: unknown fault ${quoted(name)}`,
      meant ? `Did you mean ${meant}? ${seeList}` : `Use one of ${faultNames.join(", ")}. ${seeList}`,
    );
  }
  const kind = faultKind(name);
  return { text, effect: effectOf(name, kind, value), ...selectionOf(name, kind, when) };
}

const quoted = (text: string): string => JSON.stringify(text);
const isFaultName = (name: string): name is FaultName => faultNames.some((each) => each === name);

function effectOf(name: string, kind: FaultKind, value: string | undefined): Effect {
  if (kind.default === undefined && value !== undefined)
    throw new UsageError(`--fault ${name} has no value, but ${quoted(value)} is given`, `Write --fault ${name}.`);
  const given = value ?? kind.default ?? "";
  const effect = kind.effectOf(given);
  if (!effect)
    throw new UsageError(
      `--fault ${name}: ${quoted(given)} is not ${kind.wants}`,
      `Write for example --fault ${name}=${kind.default}.`,
    );
  return effect;
}

function selectionOf(name: string, kind: FaultKind, when: string | undefined): Omit<Fault, "text" | "effect"> {
  const parts = when?.split(":") ?? [];
  const amount = parts.length && /^[\d.]/.test(parts.at(-1)!) ? parts.pop()! : undefined;
  if (parts.length > 1 || (when !== undefined && parts[0] === undefined && amount === undefined))
    throw new UsageError(`--fault ${name}: cannot read ${quoted(`@${when}`)}`, example);
  const targets = parts[0] === undefined ? (kind.operations ?? all) : targetsOf(name, kind, parts[0]);
  return {
    targets: new Set(targets),
    share: 1,
    times: kind.times ?? Number.POSITIVE_INFINITY,
    ...amountOf(name, amount),
  };
}

/** `0.2` is a share of the calls, `3x` the first three of them. */
function amountOf(name: string, text: string | undefined): Partial<Pick<Fault, "share" | "times">> {
  if (text === undefined) return {};
  const [, times] = /^([1-9]\d{0,8})x$/.exec(text) ?? [];
  if (times !== undefined) return { times: Number(times) };
  const share = /^(0|1)?(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (share > 0 && share <= 1) return { share, times: Number.POSITIVE_INFINITY };
  throw new UsageError(
    `--fault ${name}: ${quoted(text)} is neither a share of the calls nor a number of calls`,
    "Write for example :0.2 for every fifth call at random, or :1x for the first call only.",
  );
}

function targetsOf(name: string, kind: FaultKind, text: string): readonly FaultTarget[] {
  const possible: readonly string[] = kind.operations ?? [...all, "card"];
  return text.split("+").map((given) => {
    const found = possible.find((each) => each.toLowerCase() === given.trim().toLowerCase());
    // The list holds nothing else.
    if (found !== undefined) return found as FaultTarget;
    const meant = nearest(given, possible);
    throw new UsageError(
      `--fault ${name}: ${quoted(given)} is not an operation that it can affect`,
      meant && kind.operations === undefined ? `Did you mean ${meant}?` : `Use one of ${possible.join(", ")}.`,
    );
  });
}
