import { randomUUID } from "node:crypto";
import { type JsonObject, jsonObjectIn, type OlderWire, transliterate } from "@assay/protocol";
import { dialectFor, type PeerInterface } from "@assay/wire";
import { asObject, asText } from "../answers/loose-json.ts";
import { isAtRest, isEnded, type LooseTask, looseTask, taskIn } from "../answers/reading.ts";
import { rememberSaid } from "../answers/said.ts";
import type { Call } from "../define/call.ts";
import { firstKnown, observation } from "../define/observation.ts";
import { doesNotApply, heldUp, Obstacle, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import type { Mailbox, WebhookDelivery } from "../webhook/receiver.ts";
import { addressRefused, create, type PushConfigs, pushConfigs, type Registered, secret } from "./push-configs.ts";
import { ifMade } from "./sent-calls.ts";
import { follow } from "./sent-message.ts";
import { isAlive, tooFast } from "./start-task.ts";
import { isWorthAnotherTry } from "./until-seen.ts";

/** A notification, as far as it can be read. */
export interface Notification {
  readonly delivery: WebhookDelivery;
  /** the body, if it is a JSON object */
  readonly json: JsonObject | undefined;
  /** the event in it, unwrapped, in terms of 1.0 */
  readonly event: JsonObject | undefined;
  readonly taskId: string | undefined;
  readonly state: string | undefined;
}

/** A webhook of an ended task, and its notifications. */
export interface Notified {
  /** the task of the registration */
  readonly taskId: string;
  readonly webhook: Registered;
  readonly notifications: readonly Notification[];
}

export interface Notifications {
  /** absent if no task lived long enough for webhooks */
  readonly configs: PushConfigs | undefined;
  /** an ended task: the one with the webhooks, or else the one whose message had a webhook */
  readonly last: LooseTask | undefined;
  readonly plain: Notified | undefined;
  readonly bearer: Notified | undefined;
  readonly lowerCase: Notified | undefined;
  readonly basic: Notified | undefined;
  readonly doomed: Notified | undefined;
  /** milliseconds that the task continued after the deletion of a configuration took effect */
  readonly aliveAfterDeletion: number;
  /** with a token: the first that received something, or any */
  readonly withToken: Notified | undefined;
  /** the webhooks that existed when their task ended, so that a notification was due */
  readonly standing: readonly Notified[];
  /** every webhook, including the deleted one */
  readonly heard: readonly Notified[];
  /** the notifications of all webhooks */
  readonly all: readonly Notification[];
}

const members = ["task", "message", "statusUpdate", "artifactUpdate"];
const old: Readonly<Record<string, string>> = { status_update: "statusUpdate", artifact_update: "artifactUpdate" };

/** Reads a notification of a webhook that was registered over this interface. */
export function readNotification(delivery: WebhookDelivery, on: PeerInterface): Notification {
  const json = jsonObjectIn(delivery.body);
  const inner = json && "jsonrpc" in json ? asObject(json["result"]) : json;
  const spelled = inner && Object.fromEntries(Object.entries(inner).map(([name, value]) => [old[name] ?? name, value]));
  const event = spelled && inNewWords(spelled, on);
  const member = members.find((name) => asObject(event?.[name]));
  const content = member === undefined ? event : asObject(event?.[member]);
  const taskId = asText(content?.[member === "task" ? "id" : "taskId"]) ?? asText(content?.["task_id"]);
  return {
    delivery,
    json,
    event,
    // Before 1.0 the agent chooses the form of a notification.
    taskId: taskId ?? (on.dialect === "1.0" ? undefined : asText(content?.["taskId"] ?? content?.["id"])),
    state: asText(asObject(content?.["status"])?.["state"]),
  };
}

/** The body tells which version's event it uses, because older interfaces also send those of other versions. */
function inNewWords(json: JsonObject, { binding, dialect }: PeerInterface): JsonObject {
  if (dialect === "1.0") return json;
  const isWrapped = members.some((name) => asObject(json[name])) && json["kind"] === undefined;
  const wire = isWrapped ? "0.3-proto" : binding === "JSONRPC" ? dialectFor(binding, dialect)?.wire : "0.3";
  const meant = transliterate((wire ?? "0.3") as OlderWire, "SendMessage", json);
  rememberSaid(meant, json);
  return asObject(meant) ?? json;
}

const tellsTheEnd =
  (on: PeerInterface) =>
  (deliveries: readonly WebhookDelivery[]): boolean =>
    deliveries.some((delivery) => isEnded(readNotification(delivery, on).state));

/** Waits for the notification of a task's end: as long as is fair, or briefly if the webhook came too late. */
async function received(target: Target, box: Mailbox, inTime: boolean): Promise<Notification[]> {
  const isTold = tellsTheEnd(target.on);
  const deliveries = inTime
    ? await target.due("notify", (withinMs) => box.wait(isTold, withinMs), isTold)
    : await box.wait(isTold, target.quiet);
  return deliveries.map((delivery) => readNotification(delivery, target.on));
}

export const unreachable = (): Obstacle =>
  skipped(
    "webhook",
    "no notification arrived, and Assay does not know whether the agent can reach its webhook",
    "--webhook-url <an address the agent may call>",
  );

/** From this time after a deletion, its webhook gets no more events. Earlier ones may be on their way. */
export const quietAfterDeletionMs = 500;
/** The notifications at the webhooks of one task. */
type Heard = Omit<Notifications, "configs" | "withToken" | "heard" | "all">;

/** A working task with several webhooks, followed to its end and to the last notification. */
export const atWebhooks = observation<Notifications>("notifications at the webhooks of a task", {
  // Continues a task that waits for the user, or sends a message with a webhook if the slow task ends early.
  messages: 1,
  unless: "slow",
  again: 1,
  rank: 4,
  after: [pushConfigs],
  async make(target) {
    if (!target.webhook) throw unreachable();
    const { configs, obstacle } = await configured(target);
    if (configs && !configs.plain.box) throw addressRefused(configs.plain.call);
    const registered = configs && (await heardBy(target, configs));
    // If the task ended before all webhooks were registered, one in a message shows the rest.
    const isWhole = configs?.lasted && isEnded(registered?.last?.state);
    const brought = isWhole || target.messagesLeft() === 0 ? undefined : await ifMade(broughtAlong(target));
    const seen = merged(configs, registered, brought);
    if (seen.all.length > 0) return seen;
    if (!configs) throw obstacle!;
    if (seen.standing.length === 0) throw target.webhook.reachable ? tooFast() : unreachable();
    if (!target.webhook.reachable) throw unreachable();
    const isGone = configs.later.got.reply.is === "error" && configs.doomed.id !== configs.plain.id;
    if (isGone && target.on.dialect === "1.0") {
      throw heldUp("PUSH-009", "a push configuration disappears while its task is working", configs.later.got);
    }
    return seen;
  },
});

/** Returns the configurations of a task, or why none was working long enough. */
async function configured(target: Target): Promise<{ configs?: PushConfigs; obstacle?: Obstacle }> {
  try {
    return { configs: await target.observe(pushConfigs) };
  } catch (error) {
    if (error instanceof Obstacle && isWorthAnotherTry(error)) return { obstacle: error };
    throw error;
  }
}

async function heardBy(target: Target, configs: PushConfigs): Promise<Heard> {
  const { taskId } = configs;
  const goneAt = configs.deletion?.goneAt ?? target.now();
  const goesOn = configs.waits && target.messagesLeft() > 0;
  // Events shortly after the deletion may still be notified.
  if (goesOn) await target.sleep(Math.max(0, goneAt + quietAfterDeletionMs - target.now()));
  const answeredAt = target.now();
  if (goesOn) await target.send("followUp", { message: { taskId } });
  const { last, aliveAt = goesOn ? answeredAt : goneAt } = await follow(target, looseTask({ id: taskId })!);
  // A task that waits for the user has nothing to notify.
  const isOver = isEnded(last?.state);
  const [outlived, lasted] = [configs.outlived && isOver, configs.lasted && isOver];
  const [plain, bearer, lowerCase, basic] = await Promise.all([
    hear(target, taskId, configs.plain, outlived),
    hear(target, taskId, configs.bearer, outlived),
    hear(target, taskId, configs.lowerCase, lasted),
    hear(target, taskId, configs.basic, lasted),
  ]);
  // Last, because a notification to a deleted webhook may arrive last.
  const doomed = await hear(target, taskId, configs.doomed, false);
  const standing = standingOf({ ...configs, outlived, lasted }, { plain, bearer, lowerCase, basic });
  return { last, plain, bearer, lowerCase, basic, doomed, standing, aliveAfterDeletion: aliveAt - goneAt };
}

/** A webhook from a message, and one registered right after it while the task was working. */
interface BroughtAlong {
  readonly last: LooseTask;
  readonly first: Notified;
  readonly second: Notified | undefined;
}

/**
 * A webhook in the message is registered before the task starts, even if the task is short. PUSH-028 decides if such a
 * configuration must work. Here only arrived notifications count. A rejected or missing message shows nothing.
 */
async function broughtAlong(target: Target): Promise<BroughtAlong | undefined> {
  const box = target.webhook!.mailbox();
  const given = { url: box.url, ...credentials("Bearer"), ...(!isOlder(target) && { token: secret() }) };
  const configuration = { returnImmediately: true, taskPushNotificationConfig: given };
  const call = await target.send(firstKnown(target, "slow", "task"), { configuration });
  const task = taskIn(call);
  if (!task) return undefined;
  // The second webhook is in time only if the task is slow.
  const isSlow = target.hasPrompt("slow") && !isAtRest(task.state);
  const second = isSlow ? await secondWebhook(target, task.id) : undefined;
  const { last = task } = await follow(target, task);
  const isOver = isEnded(last.state);
  const first = { given, box, call, config: given, id: box.url };
  const [here, there] = await Promise.all([
    arrived(target, box, isOver),
    second && hear(target, task.id, second, isOver),
  ]);
  return { last, first: { taskId: task.id, webhook: first, notifications: here }, second: there };
}

/** Registers the second webhook, for a task that is working before and after. */
async function secondWebhook(target: Target, taskId: string): Promise<Registered | undefined> {
  const more = isOlder(target) ? {} : credentials("bearer");
  const made = await create(target, taskId, { id: randomUUID(), token: secret(), ...more });
  return made.id !== undefined && (await isAlive(target, taskId)) ? made : undefined;
}

const credentials = (scheme: string): JsonObject => ({ authentication: { scheme, credentials: secret() } });

/** Before 1.0 a webhook had either a token or credentials. */
const isOlder = ({ on }: Target): boolean => on.dialect !== "1.0";

/** Returns the notifications of a webhook that need not work. Waits for the end only if something arrived. */
async function arrived(target: Target, box: Mailbox, isOver: boolean): Promise<Notification[]> {
  const isSome = ({ length }: readonly WebhookDelivery[]): boolean => length > 0;
  const some = await box.wait(isSome, Math.min(target.grace, undueMs));
  return isSome(some) ? received(target, box, isOver) : [];
}

/** Maximum wait for a notification that the agent need not send. */
const undueMs = 5_000;

/** Merges the webhooks of both tasks. Registered ones show more if they were in time. */
function merged(
  configs: PushConfigs | undefined,
  registered: Heard | undefined,
  brought: BroughtAlong | undefined,
): Notifications {
  const { first, second } = brought ?? {};
  const isHeard = (one: Notified | undefined): one is Notified => (one?.notifications.length ?? 0) > 0;
  const pick = (...some: readonly (Notified | undefined)[]): Notified | undefined => some.find(isHeard) ?? some[0];
  const { plain, bearer, lowerCase, basic, doomed } = registered ?? {};
  const own = registered?.standing ?? [];
  const others = isEnded(brought?.last.state) && isHeard(first) ? [first, ...(second ? [second] : [])] : [];
  const heard = [plain, bearer, lowerCase, basic, doomed, first, second].filter((one) => one !== undefined);
  return {
    configs,
    aliveAfterDeletion: registered?.aliveAfterDeletion ?? 0,
    last: isEnded(registered?.last?.state) ? registered?.last : (brought?.last ?? registered?.last),
    plain,
    bearer: pick(bearer, first),
    // A late registration may receive something only by chance.
    lowerCase: configs?.lasted ? pick(lowerCase, second) : second,
    basic,
    doomed,
    withToken: pick(...[lowerCase, first, second].filter((one) => one?.webhook.given["token"] !== undefined)),
    standing: own.length > 1 || others.length === 0 ? own : others,
    heard,
    all: heard.flatMap((each) => each.notifications),
  };
}

export const silence = {
  message: "no webhook of a task receives a notification",
  saw: "no POST long after the task ended",
  want: "at least one POST to each configured webhook when the task is updated",
} as const;

/** The notifications of a task, if at least one arrived. */
export const notifications = observation<Notifications>("notifications of a task", {
  uses: [atWebhooks],
  async make(target) {
    const seen = await target.observe(atWebhooks);
    if (seen.all.length > 0) return seen;
    // Before 1.0 the agent decides when it notifies. Only PUSH-020 judges an agent that never does.
    if (target.on.dialect !== "1.0") throw doesNotApply(silence.message);
    throw heldUp("PUSH-020", silence.message, seen.heard[0]!.webhook.call, { saw: silence.saw, want: silence.want });
  },
});

/** Removes those that came too late, were rejected, or were replaced by others with the same id (AMB-15). */
function standingOf(
  { outlived, lasted, doomed, lacking }: PushConfigs,
  { plain, bearer, lowerCase, basic }: Readonly<Record<"plain" | "bearer" | "lowerCase" | "basic", Notified>>,
): readonly Notified[] {
  // A deletion without an id deletes an unknown one.
  const isClear = ({ notifications: heardOf }: Notified): boolean =>
    heardOf.length > 0 || !lacking.some(({ call }) => isDeletion(call) && call.reply.is === "result");
  const made = [plain, bearer, lowerCase, basic].filter((one) => one.webhook.id !== undefined && isClear(one));
  return made.filter((one, index) => {
    const { id } = one.webhook;
    const isEarly = one === plain || one === bearer;
    const isReplaced = made.some((other, at) => at > index && other.webhook.id === id);
    return !isReplaced && (isEarly ? outlived && id !== doomed.id : lasted);
  });
}

const isDeletion = ({ operation }: Call): boolean => operation === "DeleteTaskPushNotificationConfig";

/** Returns the notifications of a webhook. Does not wait if the agent rejected the webhook. */
const hear = async (target: Target, taskId: string, webhook: Registered, inTime: boolean): Promise<Notified> => ({
  taskId,
  webhook,
  notifications: webhook.box && webhook.id !== undefined ? await received(target, webhook.box, inTime) : [],
});
