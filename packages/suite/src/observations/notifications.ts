import type { JsonObject } from "@assay/protocol";
import type { Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { heldUp, type Obstacle, skipped } from "../obstacle.ts";
import { asObject, asText, isEnded, type LooseTask, looseTask } from "../reading.ts";
import type { Delivery, Mailbox } from "../webhook/receiver.ts";
import { tooFast } from "./at-work.ts";
import { addressRefused, type PushConfigs, pushConfigs, type Registered } from "./push-configs.ts";
import { follow } from "./settled.ts";

/** A notification, as far as it can be made out. */
export interface Notification {
  readonly delivery: Delivery;
  /** the body, where it is a JSON object */
  readonly json: JsonObject | undefined;
  /** the event in it, whatever is wrapped around it */
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
  /** the task at its end */
  readonly last: LooseTask | undefined;
  readonly plain: Notified;
  readonly bearer: Notified;
  readonly lowerCase: Notified;
  readonly basic: Notified;
  readonly doomed: Notified;
  /** those that were there when the task ended, so that they had something to hear */
  readonly standing: readonly Notified[];
  /** of all webhooks, that of the deleted one included */
  readonly all: readonly Notification[];
}

const members = ["task", "message", "statusUpdate", "artifactUpdate"];
const old: Readonly<Record<string, string>> = { status_update: "statusUpdate", artifact_update: "artifactUpdate" };

export function readNotification(delivery: Delivery): Notification {
  const json = parsed(delivery.body);
  const inner = json && "jsonrpc" in json ? asObject(json["result"]) : json;
  const event = inner && Object.fromEntries(Object.entries(inner).map(([name, value]) => [old[name] ?? name, value]));
  const member = members.find((name) => asObject(event?.[name]));
  const content = member === undefined ? event : asObject(event?.[member]);
  return {
    delivery,
    json,
    event,
    taskId: asText(content?.[member === "task" ? "id" : "taskId"]) ?? asText(content?.["task_id"]),
    state: asText(asObject(content?.["status"])?.["state"]),
  };
}

function parsed(body: Uint8Array): JsonObject | undefined {
  try {
    return asObject(JSON.parse(Buffer.from(body).toString("utf8")));
  } catch {
    return undefined;
  }
}

const tellsTheEnd = (deliveries: readonly Delivery[]): boolean =>
  deliveries.some((delivery) => isEnded(readNotification(delivery).state));

/** Waits for the end of a task to be told: as long as it is fair to wait, or only a moment for who came too late. */
const heard = async (lab: Lab, box: Mailbox, inTime: boolean): Promise<Notification[]> =>
  (await box.wait(tellsTheEnd, inTime ? lab.grace : lab.quiet)).map(readNotification);

export const unreachable = (): Obstacle =>
  skipped(
    "webhook",
    "no notification came, and it is not known whether the agent can reach us",
    "--webhook-url <an address the agent may call>",
  );

/** A task at work with several webhooks, followed to its end and until the last notification. */
export const notifications = observation<Notifications>({
  name: "notifications of a task",
  messages: 0,
  uses: [pushConfigs],
  async make(lab) {
    const configs = await lab.observe(pushConfigs);
    const { plain, taskId } = configs;
    if (!lab.webhook) throw unreachable();
    if (!plain.box) throw addressRefused(plain.talk);
    const { last } = await follow(lab, looseTask({ id: taskId })!);
    const { outlived, lasted } = configs;
    const [first, bearer, lowerCase, basic] = await Promise.all([
      hear(lab, plain, outlived),
      hear(lab, configs.bearer, outlived),
      hear(lab, configs.lowerCase, lasted),
      hear(lab, configs.basic, lasted),
    ]);
    const doomed = {
      webhook: configs.doomed,
      notifications: configs.doomed.box?.deliveries.map(readNotification) ?? [],
    };
    const each = { plain: first, bearer, lowerCase, basic, doomed };
    const all = Object.values(each).flatMap((notified) => notified.notifications);
    const standing = standingOf(configs, each);
    if (all.length === 0 && !lab.webhook.reachable) throw unreachable();
    if (all.length === 0 && standing.length === 0) throw tooFast();
    if (all.length === 0 && configs.later.got.reply.is === "error" && configs.doomed.id !== plain.id) {
      throw heldUp("PUSH-009", "a push configuration is gone while its task is at work", configs.later.got);
    }
    if (all.length === 0) {
      throw heldUp("PUSH-020", "no notification comes to any of the webhooks of a task", plain.talk, {
        saw: "no POST until long after the end of the task",
        want: "at least one POST to each configured webhook when the task is updated",
      });
    }
    return { configs, last, ...each, standing, all };
  },
});

/** Without those that came too late, that were not taken, and that others with the same id have replaced (AMB-15). */
function standingOf(
  { outlived, lasted, doomed }: PushConfigs,
  { plain, bearer, lowerCase, basic }: Pick<Notifications, "plain" | "bearer" | "lowerCase" | "basic">,
): readonly Notified[] {
  const made = [plain, bearer, lowerCase, basic].filter(({ webhook: { id } }) => id !== undefined);
  return made.filter((one, index) => {
    const { id } = one.webhook;
    const isEarly = one === plain || one === bearer;
    const isReplaced = made.some((other, at) => at > index && other.webhook.id === id);
    return !isReplaced && (isEarly ? outlived && id !== doomed.id : lasted);
  });
}

/** What comes to a webhook; one that was not taken gets nothing, and nobody waits for it. */
const hear = async (lab: Lab, webhook: Registered, inTime: boolean): Promise<Notified> => ({
  webhook,
  notifications: webhook.box && webhook.id !== undefined ? await heard(lab, webhook.box, inTime) : [],
});
