import { randomBytes, randomUUID } from "node:crypto";
import { errorTable, type JsonObject } from "@assay/protocol";
import { isNamed } from "../answers/error-names.ts";
import { codeOfBreakdown, isInternal, isRefusal, matches } from "../answers/expect-error.ts";
import { asList, asObject, asText } from "../answers/loose-json.ts";
import { describeReply, errorOf, isAtRest, type LooseTask, resultOf, taskIn } from "../answers/reading.ts";
import { isNotServed } from "../answers/served.ts";
import type { Call } from "../define/call.ts";
import { firstKnown, observation } from "../define/observation.ts";
import { type HeldUp, heldUp, type Obstacle, skipped } from "../define/obstacle.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import type { HttpChange, Target } from "../define/target.ts";
import type { Mailbox } from "../webhook/receiver.ts";
import { ifMade } from "./sent-calls.ts";
import { slowTask } from "./slow-task.ts";
import { isAlive, livingFirst, startTask, tooFast } from "./start-task.ts";
import { askedFor, configLagMs, untilWhole } from "./until-seen.ts";

/** A requested configuration, and the agent's response. */
export interface Registered {
  /** the request */
  readonly given: JsonObject;
  /** where its notifications arrive; absent without a receiver */
  readonly box: Mailbox | undefined;
  readonly call: Call;
  /** the response, if the agent accepted it */
  readonly config: JsonObject | undefined;
  readonly id: string | undefined;
}

/** The life of push configurations on a task: working, or waiting for the user, or any. */
export interface PushConfigs {
  readonly taskId: string;
  /** the task waits for the user, and continues when answered */
  readonly waits: boolean;
  /** the empty list */
  readonly none: Call;
  /** a request for an unknown id at that time */
  readonly unknownOfNone: Call;
  /** without id and authentication */
  readonly plain: Registered & { readonly id: string };
  /** requested by its task alone, as before 1.0 over JSON-RPC, while the task had no other */
  readonly current: Call | undefined;
  /** each with an id that Assay chose, and credentials */
  readonly bearer: Registered;
  /** with a token as well; before 1.0, when tokens identified notifications, with only the token */
  readonly lowerCase: Registered;
  readonly basic: Registered;
  /** deleted again while the task was working */
  readonly doomed: Registered;
  readonly got: Call;
  readonly gotBearer: Call | undefined;
  /** all pages of the list, while it contained all of these */
  readonly listed: readonly Call[];
  /** the same, one per page; before 1.0 a list is always complete */
  readonly paged: readonly Call[];
  readonly unknown: Call;
  /** requests without a required member; REST has it in the path, where it cannot be missing */
  readonly lacking: readonly { readonly what: string; readonly call: Call }[];
  /** configurations that cannot work */
  readonly unusable: {
    readonly noUrl: Call;
    readonly noSuchUrl: Call;
    /** absent if the binding cannot express it: a list of schemes in protobuf may always be empty */
    readonly noScheme: Call | undefined;
  };
  readonly deletion:
    | {
        readonly id: string;
        readonly call: Call;
        readonly got: Call;
        readonly listed: readonly Call[];
        readonly again: Call;
        /** when neither Get nor List showed it any more, by the clock of `Target.now` */
        readonly goneAt: number;
      }
    | undefined;
  /** reads after the deletion, of a configuration that should still exist */
  readonly later: { readonly got: Call; readonly listed: readonly Call[] };
  /** the task was working until then (an ended one may lose them, AMB-35), so `plain` and `bearer` were in time */
  readonly outlived: boolean;
  /** the task was working until all configurations had been read */
  readonly lasted: boolean;
}

/** Returns an address for notifications: a mailbox of Assay, or a name that leads nowhere. */
export function somewhere(target: Target): { readonly url: string; readonly box: Mailbox | undefined } {
  const box = target.webhook?.mailbox();
  return { url: box?.url ?? nowhere(), box };
}

/** A top-level domain that never exists (RFC 2606), so nothing sent there arrives. */
const nowhere = (): string => `https://webhook.invalid/${randomUUID()}`;

/**
 * Returns true if the agent rejected a configuration because of its content, as an agent may that checks addresses
 * (AMB-19).
 */
export function refusesAddress(call: Call): boolean {
  if (!isRefusal(call)) return false;
  const reason = errorOf(call)?.reason;
  // Without a reason, one code covers many errors, so the address may be the cause.
  if (reason === undefined && matches(call, "InvalidParams")) return true;
  return !otherReasons.some((name) => reason === errorTable[name].reason || matches(call, name));
}

const otherReasons = [
  "PushNotificationNotSupported",
  "TaskNotFound",
  "UnsupportedOperation",
  "MethodNotFound",
  "Unauthenticated",
] as const;

export const addressRefused = (call: Call): Obstacle =>
  skipped(
    "webhook",
    `the agent rejects the address of the webhook: ${describeReply(call)}`,
    "--webhook-url <an address the agent may call>",
  );

export const secret = (): string => randomBytes(18).toString("base64url");

export async function create(target: Target, taskId: string, more: JsonObject = {}, where = somewhere(target)) {
  const given = { url: where.url, ...more };
  const call = await created(target, { taskId, ...given });
  const config = asObject(resultOf(call));
  return { given, box: where.box, call, config, id: asText(config?.["id"]) || undefined };
}

/**
 * Before 1.0 the body of HTTP+JSON was unclear (docs/spec/dialects.md §2.3). Some servers accept only the whole request
 * of the proto, others only the part that its annotation calls the body. Both forms count. In 1.0 the path names the
 * task. REST-007 judges a server that also requires it in the body, and the other rules accept it.
 */
export async function created(target: Target, params: JsonObject): Promise<Call> {
  const operation = "CreateTaskPushNotificationConfig";
  const call = await target.call(operation, params);
  const isMisread = (one: Call): boolean => matches(one, "InvalidParams") !== undefined || isInternal(one);
  if (target.on.binding !== "HTTP+JSON" || !isMisread(call)) return call;
  const otherBody: HttpChange = ({ body, ...request }) => {
    const json = JSON.parse(Buffer.from(body ?? []).toString("utf8")) as JsonObject;
    const other = target.on.dialect === "1.0" ? { ...json, taskId: params["taskId"] } : json["config"];
    return { ...request, body: Buffer.from(JSON.stringify(other)) };
  };
  const other = await target.http(operation, params, otherBody, { fair: true });
  return isMisread(other) ? call : other;
}

/** Returns the configurations on the pages of a list. */
export const configsIn = (pages: readonly Call[]): JsonObject[] =>
  pages
    .flatMap((page) => asList(asObject(resultOf(page))?.["configs"]))
    .map(asObject)
    .filter((config) => config !== undefined);

const idsIn = (pages: readonly Call[]): string[] => configsIn(pages).flatMap(({ id }) => asText(id) ?? []);

/**
 * Returns all pages of the list. Repeats until it shows everything stored and nothing deleted, which an ended task may
 * forget (AMB-35).
 */
export async function listAll(target: Target, taskId: string, more: JsonObject = {}): Promise<Call[]> {
  const isUpToDate = async (pages: readonly Call[]): Promise<boolean> => {
    if (pages.some(({ reply }) => reply.is !== "result")) return true;
    const listed = idsIn(pages);
    const { stored, deleted } = target.configsOf(taskId);
    if (deleted.some((id) => listed.includes(id))) return false;
    return stored.every((id) => listed.includes(id)) || !(await isAlive(target, taskId));
  };
  const within = Math.min(target.grace, configLagMs);
  return (await askedFor(target, within, () => pagesOf(target, taskId, more), isUpToDate)).answer;
}

async function pagesOf(target: Target, taskId: string, more: JsonObject): Promise<Call[]> {
  const pages: Call[] = [];
  let pageToken: string | undefined;
  do {
    const call = await target.call("ListTaskPushNotificationConfigs", {
      taskId,
      ...more,
      ...(pageToken && { pageToken }),
    });
    pages.push(call);
    pageToken = asText(asObject(resultOf(call))?.["nextPageToken"]) || undefined;
    // An agent that always names a next page would never end.
  } while (pageToken && pages.length < 20);
  return pages;
}

export const pushConfigs = observation<PushConfigs>("push configurations of a task", {
  messages: 1,
  prompts: [livingFirst],
  rank: 3,
  again: 2,
  shares: slowTask,
  make: (target) => untilWhole(target, triesOf(target), ({ lasted, outlived }) => (lasted ? 1 : outlived ? 0.5 : 0)),
});

/** A slow task may end too soon. Then Assay uses a task that waits for the user, or else another slow one. */
function triesOf(target: Target): (() => Promise<PushConfigs>)[] {
  const on = (kind: PromptKind) => async () => configsOf(target, (await startTask(target, kind)).task);
  const first = async (): Promise<PushConfigs> => {
    const task = (await begunJustNow(target)) ?? (await startTask(target, firstKnown(target, ...livingFirst))).task;
    return configsOf(target, task);
  };
  if (!target.hasPrompt("slow")) return [first];
  return [first, ...(target.hasPrompt("inputRequired") ? [on("inputRequired")] : []), on("slow")];
}

async function configsOf(target: Target, task: LooseTask): Promise<PushConfigs> {
  const taskId = task.id;
  const waits = task.state === "TASK_STATE_INPUT_REQUIRED";
  // A task that is not known to be slow may end at any point, so it does not count.
  const isAtWork = async (): Promise<boolean> => (waits || target.hasPrompt("slow")) && (await isAlive(target, taskId));
  const get = (id: string) => target.call("GetTaskPushNotificationConfig", { taskId, id });
  const none = await target.call("ListTaskPushNotificationConfigs", { taskId });
  const unknownOfNone = await get(randomUUID());
  const isOlder = target.on.dialect !== "1.0";
  const plain = await firstOne(target, taskId);
  const current =
    isOlder && target.on.binding === "JSONRPC"
      ? await target.call("GetTaskPushNotificationConfig", { taskId }, { fair: true })
      : undefined;
  const own = (more: JsonObject) => create(target, taskId, { id: randomUUID(), ...more }, plainPlace(target, plain));
  const withScheme = (scheme: string, credentials = secret()) => own({ authentication: { scheme, credentials } });

  // The requests come first that need the task to continue after them.
  const bearer = await withScheme("Bearer");
  const got = await get(plain.id);
  const doomed = await own({});
  const gone = doomed.id === undefined ? undefined : await deleted(target, taskId, doomed.id, plain.id);
  const deletion = gone?.deletion;
  const later = { got: gone?.other ?? (await get(plain.id)), listed: deletion?.listed ?? [] };
  const outlived = await isAtWork();

  const lowerCase = await own({
    token: secret(),
    ...(!isOlder && { authentication: { scheme: "bearer", credentials: secret() } }),
  });
  const basic = await withScheme("Basic", Buffer.from(`assay:${secret()}`).toString("base64"));
  const [gotBearer, listed, unknown] = await Promise.all([
    bearer.id === undefined ? undefined : get(bearer.id),
    listAll(target, taskId),
    get(randomUUID()),
  ]);
  const paged = isOlder ? [] : await listAll(target, taskId, { pageSize: 1 });
  const lasted = outlived && (await isAtWork());

  // An ended task rejects what follows as well. Each configuration has its own id, because an agent may use the id of
  // the task for a configuration without one, and replace the existing one.
  const [noUrl, noSuchUrl, noScheme] = await Promise.all([
    target.call("CreateTaskPushNotificationConfig", { taskId, id: randomUUID() }),
    target.call("CreateTaskPushNotificationConfig", { taskId, id: randomUUID(), url: "not a url" }, { fair: false }),
    withoutScheme(target, taskId, plainPlace(target, plain).url),
  ]);
  // These come last, because an agent may delete any configuration if the id is missing.
  const lacking = await lackingOnes(target, taskId, plain.id);
  return {
    taskId,
    waits,
    none,
    unknownOfNone,
    plain,
    current,
    bearer,
    lowerCase,
    basic,
    doomed,
    got,
    gotBearer,
    listed,
    paged,
    unknown,
    lacking,
    unusable: { noUrl, noSuchUrl, noScheme },
    deletion,
    later,
    outlived,
    lasted,
  };
}

/** An older task may end before all configurations exist. */
const freshMs = 300;

/** Returns the slow task that was just started, if it is working. */
async function begunJustNow(target: Target): Promise<LooseTask | undefined> {
  if (!target.hasPrompt("slow")) return undefined;
  const seen = await ifMade(target.observe(slowTask));
  const task = seen && taskIn(seen.found);
  if (!task || isAtRest(task.state)) return undefined;
  // Starts another task only with a free message, because others need the reserve.
  return target.now() - seen.begunAt < freshMs || target.messagesLeft() === 0 ? task : undefined;
}

/** Credentials without a scheme, if the binding can express that. */
async function withoutScheme(target: Target, taskId: string, url: string): Promise<Call | undefined> {
  const operation = "CreateTaskPushNotificationConfig";
  const config = { id: randomUUID(), url, authentication: { credentials: "x" } };
  if (target.on.dialect === "1.0") return target.call(operation, { taskId, ...config });
  if (target.on.binding !== "JSONRPC") return undefined;
  return target.call(operation, { taskId, pushNotificationConfig: config }, { literal: true, fair: false });
}

/**
 * Creates the configuration that everything else needs: with the receiver's address, or with another if the agent
 * rejects that.
 */
async function firstOne(target: Target, taskId: string): Promise<PushConfigs["plain"]> {
  const here = await create(target, taskId);
  const made =
    here.box && refusesAddress(here.call) ? await create(target, taskId, {}, { url: nowhere(), box: undefined }) : here;
  const { call, id } = made;
  if (id !== undefined) return { ...made, id };
  // An ended task has nothing to notify, so it may reject them all.
  if (!(await isAlive(target, taskId))) throw tooFast();
  if (refusesAddress(call)) throw addressRefused(call);
  throw heldUp(
    "PUSH-005",
    call.reply.is === "result"
      ? "the response to CreateTaskPushNotificationConfig has no id"
      : "CreateTaskPushNotificationConfig creates no configuration",
    call,
    {
      saw: describeReply(call),
      want: "the stored configuration with an id, beside its taskId and url",
      ...codeOfRefusal(call),
    },
  );
}

/** A working task does not justify rejecting a configuration. */
const codeOfRefusal = (call: Call): Pick<HeldUp, "code"> =>
  isNotServed(call) || (call.on.dialect === "1.0" && isNamed(call, "UnsupportedOperation"))
    ? { code: "operation-not-served" }
    : isInternal(call)
      ? { code: codeOfBreakdown(call) }
      : {};

/** If the agent accepts only an address that leads nowhere, the other configurations use such an address as well. */
const plainPlace = (target: Target, { box }: Registered) =>
  box ? somewhere(target) : { url: nowhere(), box: undefined };

const remove = (target: Target, taskId: string, id: string): Promise<Call> =>
  target.call("DeleteTaskPushNotificationConfig", { taskId, id });

/** Deletes one configuration, and reads it and another one in parallel, because the task continues meanwhile. */
async function deleted(target: Target, taskId: string, id: string, otherId: string) {
  const call = await remove(target, taskId, id);
  const [got, listed, other] = await Promise.all([
    target.call("GetTaskPushNotificationConfig", { taskId, id }),
    listAll(target, taskId),
    target.call("GetTaskPushNotificationConfig", { taskId, id: otherId }),
  ]);
  const goneAt = target.now();
  // Deletes it again at once: if all configurations share one id, the id belongs to the next one later.
  const again = await remove(target, taskId, id);
  return { deletion: { id, call, got, listed, again, goneAt }, other };
}

async function lackingOnes(target: Target, taskId: string, id: string): Promise<PushConfigs["lacking"]> {
  if (target.on.binding === "HTTP+JSON") return [];
  const isOlder = target.on.dialect !== "1.0";
  // Resource names contain both ids, so neither can be missing.
  if (isOlder && target.on.binding === "GRPC") return [];
  const asked = [
    // Before 1.0 the task was enough.
    ...(isOlder ? [] : [["GetTaskPushNotificationConfig", "id", { taskId }] as const]),
    ["GetTaskPushNotificationConfig", "taskId", { id }],
    ["DeleteTaskPushNotificationConfig", "id", { taskId }],
    ["DeleteTaskPushNotificationConfig", "taskId", { id }],
    ["ListTaskPushNotificationConfigs", "taskId", {}],
  ] as const;
  const calls: Call[] = [];
  for (const [operation, , params] of asked) calls.push(await target.call(operation, params));
  return asked.map(([operation, member], index) => ({ what: `${operation} without ${member}`, call: calls[index]! }));
}
