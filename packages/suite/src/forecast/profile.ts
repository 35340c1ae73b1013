import { bindings, dialects } from "@assay/protocol";
import { isObject } from "@assay/protocol/json";
import { errorLine } from "../report/error-line.ts";
import type { ExchangeRecorded, RunEvent, SituationFinished } from "../report/events.ts";
import type { ConformanceResult } from "../report/result.ts";
import { type AbilityId, abilities, proofOf } from "./abilities.ts";

/** The abilities of one version of a client, as measured in the situations of `assay client`. */
export interface ClientProfile {
  /** the version of this format */
  readonly profile: 1;
  readonly client: { readonly name: string; readonly version: string };
  /** the day of the measurement */
  readonly measured: string;
  readonly tool: { readonly name: "assay"; readonly version: string };
  /** the interfaces on which the agent accepted a message, as in "1.0 JSONRPC" */
  readonly speaks: readonly string[];
  /** the interfaces that Assay offered, and on which the agent accepted no message; all others were not measured */
  readonly notSpoken: readonly string[];
  /** the interfaces of 1.0 on which it sends no A2A-Version: Assay's agents accept that, and others need not */
  readonly unversioned?: readonly string[];
  /** the operations with which it sends an ordinary message to an agent that can stream, by interface */
  readonly sends: Readonly<Record<string, readonly string[]>>;
  readonly abilities: Readonly<Partial<Record<AbilityId, readonly Measurement[]>>>;
}

export const measuredValues = ["yes", "altered", "unfinished", "no", "lost", "unknown"] as const;
/**
 * `yes`: the caller saw the text. `altered`: the caller saw it with other white space. `unfinished`: the caller saw
 * that the task has not ended, and the client did not wait. `no`: the caller got an error or nothing in time. `lost`:
 * the client reported success without the text. `unknown`: anything else.
 */
export type MeasuredValue = (typeof measuredValues)[number];

/** One result on the interfaces where it was the same. */
export interface Measurement {
  readonly is: MeasuredValue;
  /** as in "1.0 JSONRPC"; "card" if the card offered several interfaces */
  readonly on: readonly string[];
  /** the evidence: the last line that the client printed, or the reason why nothing is known */
  readonly saw?: string;
}

type Situated = Omit<SituationFinished, "event">;

/** Derives the profile from the events of a client run. Never claims more than the run shows. */
export function profileOf(events: readonly RunEvent[], client: ClientProfile["client"]): ClientProfile {
  const started = events.find((event) => event.event === "run-started");
  const seen = new Map<string, Situated>();
  const finished = events.filter((event) => event.event === "situation-finished");
  // Situations end in any order. A command that exceeded its time limit has two results, and the later one counts.
  for (const event of finished.toSorted((a, b) => rankOf(placeOf(a)) - rankOf(placeOf(b))))
    seen.set(keyOf(event.situation, placeOf(event)), event);
  const calls = events.filter((event): event is ExchangeRecorded => event.event === "exchange");
  const offered = [...seen.values()].filter(({ situation }) => situation === "send");
  const speaks = offered.filter(isAccepted).map(placeOf);
  // A client that gave up, or never came, may still speak the version.
  const notSpoken = offered.filter((each) => !isAccepted(each) && each.ended === "done" && each.requests > 0);
  const broken = events.flatMap((event) => (event.event === "check-finished" ? brokenBy(event.result) : []));
  const unversioned = speaks.filter((place) => broken.includes(keyOf("VER-001", place)));
  const measured = Object.fromEntries(
    (Object.keys(abilities) as AbilityId[])
      .map((id) => [id, measure(id, { seen, calls, speaks })] as const)
      .filter(([, rows]) => rows.length > 0),
  );
  return {
    profile: 1,
    client,
    measured: started?.at.slice(0, 10) ?? "",
    tool: { name: "assay", version: started?.tool.version ?? "" },
    speaks,
    notSpoken: notSpoken.map(placeOf),
    ...(unversioned.length > 0 && { unversioned }),
    sends: Object.fromEntries(speaks.map((place) => [place, sentIn("send", place, calls)])),
    abilities: measured,
  };
}

/** Returns the rule and the interface of a failure. */
const brokenBy = ({ test, verdict, interface: on }: ConformanceResult): readonly string[] =>
  verdict === "fail" && on ? [keyOf(test, nameOf(on))] : [];

const isAccepted = ({ accepted = 0 }: Situated): boolean => accepted > 0;

/** Returns why a run gives no profile. An empty profile would look like a client that can do nothing. */
export function whyNoProfile(events: readonly RunEvent[]): string | undefined {
  if (!events.some((event) => event.event === "run-finished" && event.ending === "done"))
    return "the run was interrupted";
  const finished = events.filter((event) => event.event === "situation-finished");
  if (finished.every(({ ended }) => ended === "not-started")) return "the command could not be started";
  return finished.every(({ requests }) => requests === 0) ? "the client sent no request" : undefined;
}

/** Returns a document as a profile; undefined if it is not a profile. */
export function readProfile(json: unknown): ClientProfile | undefined {
  if (!isObject(json) || json["profile"] !== 1) return undefined;
  const { client, tool, measured, speaks, notSpoken, unversioned = [], sends, abilities: rows } = json;
  const isProfile =
    isObject(client) &&
    [client["name"], client["version"], measured].every(isText) &&
    isObject(tool) &&
    isTexts(speaks) &&
    isTexts(notSpoken) &&
    isTexts(unversioned) &&
    isObject(sends) &&
    Object.values(sends).every(isTexts) &&
    isObject(rows) &&
    Object.values(rows).every((each) => Array.isArray(each) && each.every(isMeasurement));
  // `isProfile` has examined all members.
  return isProfile ? (json as unknown as ClientProfile) : undefined;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isMeasurement = (row: unknown): boolean =>
  isObject(row) &&
  measuredValues.some((value) => value === row["is"]) &&
  isTexts(row["on"]) &&
  (row["saw"] === undefined || isText(row["saw"]));

interface Measured {
  readonly seen: ReadonlyMap<string, Situated>;
  readonly calls: readonly ExchangeRecorded[];
  readonly speaks: readonly string[];
}

/** Measures one ability on each interface, and merges equal results. */
function measure(id: AbilityId, run: Measured): readonly Measurement[] {
  const { situation } = proofOf(id);
  const rows: { is: MeasuredValue; on: string[]; saw?: string }[] = [];
  for (const finished of run.seen.values()) {
    const place = placeOf(finished);
    if (finished.situation !== situation || !(place === "card" || run.speaks.includes(place))) continue;
    const { is, saw } = measureOnce(id, finished, run);
    const same = rows.find((row) => row.is === is && row.saw === saw);
    if (same) same.on.push(place);
    else rows.push({ is, on: [place], ...(saw !== undefined && { saw }) });
  }
  return rows;
}

function measureOnce(
  id: AbilityId,
  finished: Situated,
  run: Measured,
): { readonly is: MeasuredValue; readonly saw?: string } {
  const { situation, control, shows, calls, requests, tenant, keepsState, endsBadly } = proofOf(id);
  const place = placeOf(finished);
  const { ended, runs } = finished;
  if (ended === "declined") return { is: "unknown", saw: "the program around the client does not do this" };
  if (ended === "not-started") return { is: "unknown", saw: "the client could not be started" };
  const output = runs.map((each) => each.output).join("\n");
  const errors = runs.map((each) => each.errors).join("\n");
  const isFine = ended === "done" && runs.every(({ exit }) => exit === 0);
  const heard = endsBadly ? `${output}\n${errors}` : output;
  const isShown = shows.every((text) => heard.toLowerCase().includes(text.toLowerCase()));
  const isAltered = shows.every((text) => squeezed(heard).includes(squeezed(text)));
  if (calls !== undefined && !sentIn(situation, place, run.calls).includes(calls))
    return { is: "unknown", saw: `the client did not call ${calls}` };
  if (requests !== undefined && !isRequested(requests, situation, place, run.calls))
    return { is: "unknown", saw: `the client did not request the ${abilities[id].means}` };
  // An agent may accept a message without it.
  if (tenant !== undefined && !callsIn(situation, place, run.calls).some((call) => writtenIn(call).includes(tenant)))
    return { is: "unknown", saw: "the client does not name the tenant" };
  if (isShown && (isFine || endsBadly)) return { is: "yes" };
  if (isAltered && isFine) return { is: "altered", saw: "the text has other white space than the agent's" };
  if (control !== undefined && !isPassed(control, place, run))
    return { is: "unknown", saw: `the client does not pass the simpler situation "${control}"` };
  if (ended === "time-over") return { is: "no", saw: "no result within the time limit" };
  if (!isFine) return { is: "no", saw: lastLine(errorLine(errors)) || lastLine(output) || "an exit code other than 0" };
  // A client that never prints may have read the text.
  if (!isPassed("send", place, run) && id !== "message") return { is: "unknown", saw: "the client prints no answers" };
  const saw = lastLine(output) ? `last line printed: ${lastLine(output)}` : "printed nothing";
  return { is: keepsState && unfinishedState.test(output) ? "unfinished" : "lost", saw };
}

/** Returns true if the client printed the answer of a simpler situation; on a card, on any interface. */
function isPassed(situation: string, place: string, { seen }: Measured): boolean {
  return [...seen.values()].some((each) => {
    const isSame = place === "card" || placeOf(each) === "card" || placeOf(each) === place;
    const ability = (Object.keys(abilities) as AbilityId[]).find((id) => abilities[id].in === situation);
    if (each.situation !== situation || !isSame || each.ended !== "done") return false;
    const printed = each.runs.map(({ output }) => output).join("\n");
    return (
      each.runs.every(({ exit }) => exit === 0) &&
      (ability ? proofOf(ability).shows : []).every((text) => printed.includes(text))
    );
  });
}

/** A state in which a task has not ended, in the spelling of any version. */
const unfinishedState = /submitted|working|auth[-_]required/i;

/** Returns the calls of a situation. */
const callsIn = (situation: string, place: string, calls: readonly ExchangeRecorded[]): readonly ExchangeRecorded[] =>
  calls.filter(
    ({ during, interface: on }) => during === situation && (place === "card" || (on && nameOf(on) === place)),
  );

/** Returns the operations that the client called in a situation. */
const sentIn = (situation: string, place: string, calls: readonly ExchangeRecorded[]): readonly string[] => [
  ...new Set(callsIn(situation, place, calls).flatMap(({ operation }) => operation ?? [])),
];

/** Returns true if a call of a situation has one of these headers. */
const isRequested = (
  headers: readonly string[],
  situation: string,
  place: string,
  calls: readonly ExchangeRecorded[],
): boolean =>
  callsIn(situation, place, calls).some(({ entry }) =>
    entry.request.headers.some(({ name }) => headers.some((each) => each.toLowerCase() === name.toLowerCase())),
  );

/** Returns the URL and the body of a request. */
function writtenIn({ entry: { request } }: ExchangeRecorded): string {
  const { text = "", _encoding } = request.postData ?? {};
  return `${request.url} ${_encoding === "base64" ? atob(text) : text}`;
}

/** The order of interfaces in a profile: newest version first. */
const places = dialects.toReversed().flatMap((dialect) => bindings.map((binding) => nameOf({ dialect, binding })));
const rankOf = (place: string): number => places.indexOf(place);

function nameOf({ dialect, binding }: { readonly dialect: string; readonly binding: string }): string {
  return `${dialect} ${binding}`;
}
const placeOf = ({ interface: on }: Pick<Situated, "interface">): string => (on ? nameOf(on) : "card");
const keyOf = (id: string, place: string): string => `${id} ${place}`;

const squeezed = (text: string): string => text.replaceAll(/\s/g, "");

/** Evidence is one line, without the ports and ids of the run. */
const lastLine = (text: string): string =>
  (text.trimEnd().split("\n").at(-1) ?? "")
    .trim()
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1")
    .replaceAll(/\b[0-9a-f]{32}\b/g, "<id>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>")
    .slice(0, 160);
