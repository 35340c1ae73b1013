import { type JsonObject, type OlderWire, transliterate } from "@assay/protocol";
import { dialectFor, type PeerInterface } from "@assay/wire";
import type { Call } from "../call.ts";
import { observation } from "../observation.ts";
import { doesNotApply, heldUp, type Obstacle, skipped } from "../obstacle.ts";
import { asObject, asText, isEnded, type LooseTask, looseTask, taskIn } from "../reading.ts";
import { rememberSaid } from "../said.ts";

import type { Target } from "../target.ts";
import type { Mailbox, WebhookDelivery } from "../webhook/receiver.ts";
import { addressRefused, type PushConfigs, pushConfigs, type Registered, secret } from "./push-configs.ts";
import { follow } from "./sent-message.ts";
import { tooFast } from "./start-task.ts";

/** A notification, as far as it can be made out. */
export interface Notification {
  readonly delivery: WebhookDelivery;
  /** the body, where it is a JSON object */
  readonly json: JsonObject | undefined;
  /** the event in it, whatever is wrapped around it, in the words of 1.0 */
  readonly event: JsonObject | undefined;
  readonly taskId: string | undefined;
  readonly state: string | undefined;
}

/** A webhook of a task that has ended, and what came to it. */
export interface Notified {
  readonly webhook: Registered;
  readonly notifications: readonly Notification[];
}

export interface Notifications {
  readonly configs: PushConfigs;
  /** the task that they are about */
  readonly taskId: string;
  /** the task at its end */
  readonly last: LooseTask | undefined;
  readonly plain: Notified;
  readonly bearer: Notified;
  readonly lowerCase: Notified;
  readonly basic: Notified;
  readonly doomed: Notified;
  /** milliseconds for which the task went on after the deletion of a configuration had taken effect */
  readonly aliveAfterDeletion: number;
  /** those that were there when the task ended, so that they had something to hear */
  readonly standing: readonly Notified[];
  /** of all webhooks, that of the deleted one included */
  readonly all: readonly Notification[];
}

const members = ["task", "message", "statusUpdate", "artifactUpdate"];
const old: Readonly<Record<string, string>> = { status_update: "statusUpdate", artifact_update: "artifactUpdate" };

/** What came to a webhook that was made over this interface. */
export function readNotification(delivery: WebhookDelivery, on: PeerInterface): Notification {
  const json = parsed(delivery.body);
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
    // Before 1.0 the form of a notification was the agent's choice.
    taskId: taskId ?? (on.dialect === "1.0" ? undefined : asText(content?.["taskId"] ?? content?.["id"])),
    state: asText(asObject(content?.["status"])?.["state"]),
  };
}

/** Which of the ways to write an event a body uses is told by the body: older interfaces post those of other versions too. */
function inNewWords(json: JsonObject, { binding, dialect }: PeerInterface): JsonObject {
  if (dialect === "1.0") return json;
  const isWrapped = members.some((name) => asObject(json[name])) && json["kind"] === undefined;
  const wire = isWrapped ? "0.3-proto" : binding === "JSONRPC" ? dialectFor(binding, dialect)?.wire : "0.3";
  const meant = transliterate((wire ?? "0.3") as OlderWire, "SendMessage", json);
  rememberSaid(meant, json);
  return asObject(meant) ?? json;
}

function parsed(body: Uint8Array): JsonObject | undefined {
  try {
    return asObject(JSON.parse(Buffer.from(body).toString("utf8")));
  } catch {
    return undefined;
  }
}

const tellsTheEnd =
  (on: PeerInterface) =>
  (deliveries: readonly WebhookDelivery[]): boolean =>
    deliveries.some((delivery) => isEnded(readNotification(delivery, on).state));

/** Waits for the end of a task to be told: as long as it is fair to wait, or only a moment where the webhook came too late. */
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
    "no notification came, and it is not known whether the agent can reach us",
    "--webhook-url <an address the agent may call>",
  );

/** Events this long after a deletion are no longer told to its webhook; earlier ones may be on their way. */
export const quietAfterDeletionMs = 500;

/** A task at work with several webhooks, followed to its end and until the last notification, if there are any. */
export const atWebhooks = observation<Notifications>({
  name: "what comes to the webhooks of a task",
  // To have a task go on that waits for the user, or for one that brings its webhook along.
  messages: 1,
  unless: "slow",
  rank: 4,
  uses: [pushConfigs],
  async make(target) {
    const configs = await target.observe(pushConfigs);
    const { plain, taskId } = configs;
    if (!target.webhook) throw unreachable();
    if (!plain.box) throw addressRefused(plain.call);
    const goneAt = configs.deletion?.goneAt ?? target.now();
    if (configs.waits) {
      await target.sleep(Math.max(0, goneAt + quietAfterDeletionMs - target.now()));
    }
    const answeredAt = target.now();
    if (configs.waits) await target.send("followUp", { message: { taskId } });
    const { last, aliveAt = configs.waits ? answeredAt : goneAt } = await follow(target, looseTask({ id: taskId })!);
    // As long as a task waits for the user there is nothing to tell.
    const isOver = isEnded(last?.state);
    const [outlived, lasted] = [configs.outlived && isOver, configs.lasted && isOver];
    const [first, bearer, lowerCase, basic] = await Promise.all([
      hear(target, plain, outlived),
      hear(target, configs.bearer, outlived),
      hear(target, configs.lowerCase, lasted),
      hear(target, configs.basic, lasted),
    ]);
    // Behind the others: what comes to a deleted webhook may come last.
    const doomed = await hear(target, configs.doomed, false);
    const each = { plain: first, bearer, lowerCase, basic, doomed };
    const all = Object.values(each).flatMap((notified) => notified.notifications);
    const standing = standingOf({ ...configs, outlived, lasted }, each);
    if (all.length === 0 && standing.length === 0) return broughtAlong(target, configs);
    if (all.length === 0 && !target.webhook.reachable) throw unreachable();
    const isGone = configs.later.got.reply.is === "error" && configs.doomed.id !== plain.id;
    if (all.length === 0 && isGone && target.on.dialect === "1.0") {
      throw heldUp("PUSH-009", "a push configuration is gone while its task is at work", configs.later.got);
    }
    return { configs, taskId, last, aliveAfterDeletion: aliveAt - goneAt, ...each, standing, all };
  },
});

/**
 * Where no task lives long enough to be given webhooks: one that comes with the message, and has credentials. Whether such
 * a configuration has to have effect is for PUSH-028 to say: here it is about what comes, where something does.
 */
async function broughtAlong(target: Target, configs: PushConfigs): Promise<Notifications> {
  const box = target.webhook!.mailbox();
  const given = { url: box.url, authentication: { scheme: "Bearer", credentials: secret() } };
  const call = await target.send("task", {
    configuration: { returnImmediately: true, taskPushNotificationConfig: given },
  });
  const task = taskIn(call);
  if (!task) throw tooFast();
  const { last = task } = await follow(target, task);
  const notified = await received(target, box, false);
  if (notified.length === 0) throw target.webhook!.reachable ? tooFast() : unreachable();
  const bearer = { webhook: { given, box, call, config: given, id: box.url }, notifications: notified };
  const unheard = (webhook: Registered): Notified => ({ webhook, notifications: [] });
  return {
    configs,
    taskId: task.id,
    last,
    aliveAfterDeletion: 0,
    plain: unheard(configs.plain),
    bearer,
    lowerCase: unheard(configs.lowerCase),
    basic: unheard(configs.basic),
    doomed: unheard(configs.doomed),
    standing: [bearer],
    all: notified,
  };
}

export const silence = {
  message: "no notification comes to any of the webhooks of a task",
  saw: "no POST until long after the end of the task",
  want: "at least one POST to each configured webhook when the task is updated",
} as const;

/** The same where something came. */
export const notifications = observation<Notifications>({
  name: "notifications of a task",
  messages: 0,
  uses: [atWebhooks],
  async make(target) {
    const seen = await target.observe(atWebhooks);
    if (seen.all.length > 0) return seen;
    // Before 1.0 it is for the agent to say when it notifies, and only PUSH-020 wonders about one that never does.
    if (target.on.dialect !== "1.0") throw doesNotApply(silence.message);
    throw heldUp("PUSH-020", silence.message, seen.configs.plain.call, { saw: silence.saw, want: silence.want });
  },
});

/** Without those that came too late, that were not taken, and that others with the same id have replaced (AMB-15). */
function standingOf(
  { outlived, lasted, doomed, lacking }: PushConfigs,
  { plain, bearer, lowerCase, basic }: Pick<Notifications, "plain" | "bearer" | "lowerCase" | "basic">,
): readonly Notified[] {
  // What is deleted by a deletion that does not say of what, we do not know.
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

/** What comes to a webhook; one that was not taken gets nothing, and is not waited for. */
const hear = async (target: Target, webhook: Registered, inTime: boolean): Promise<Notified> => ({
  webhook,
  notifications: webhook.box && webhook.id !== undefined ? await received(target, webhook.box, inTime) : [],
});
