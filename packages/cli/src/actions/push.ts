import { jsonObjectIn, type StreamResponse, type TaskPushNotificationConfig } from "@assay/protocol";
import type { WebhookDelivery } from "@assay/suite";
import type { PushCreateFlags } from "../commands/push.ts";
import type { TalkFlags } from "../commands/talk-flags.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import { ask } from "../talking/exchange.ts";
import { type Talk, talkTo } from "../talking/talk.ts";
import { brief, escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { createTimeline } from "../terminal/timeline.ts";

/** Runs `assay push create`: registers the given webhook, or one of Assay that shows what arrives. */
export const createPush = (url: string, taskId: string, flags: PushCreateFlags, screen: Screen): Promise<ExitCode> =>
  talkTo(url, flags, screen, (talk) =>
    flags.to === undefined ? listenFor(talk, taskId, flags) : register(talk, taskId, flags, flags.to),
  );

export const getPush = (url: string, taskId: string, id: string, flags: TalkFlags, screen: Screen): Promise<ExitCode> =>
  talkTo(url, flags, screen, (talk) => {
    talk.announce("GetTaskPushNotificationConfig", escapeText(id));
    return ask(talk, "GetTaskPushNotificationConfig", { taskId, id }, (config) => screen.line(lineOf(config)));
  });

export const listPush = (url: string, taskId: string, flags: TalkFlags, screen: Screen): Promise<ExitCode> =>
  talkTo(url, flags, screen, (talk) => {
    talk.announce("ListTaskPushNotificationConfigs", escapeText(taskId));
    return ask(talk, "ListTaskPushNotificationConfigs", { taskId }, ({ configs = [] }) => {
      for (const config of configs) screen.line(lineOf(config));
      screen.line(plural(configs.length, "configuration"));
    });
  });

export const deletePush = (
  url: string,
  taskId: string,
  id: string,
  flags: TalkFlags,
  screen: Screen,
): Promise<ExitCode> =>
  talkTo(url, flags, screen, (talk) => {
    talk.announce("DeleteTaskPushNotificationConfig", escapeText(id));
    return ask(talk, "DeleteTaskPushNotificationConfig", { taskId, id }, () => screen.line("deleted"));
  });

const lineOf = ({ id, url }: TaskPushNotificationConfig): string => `  ${escapeText(id ?? "")}   ${escapeText(url)}`;

function register(talk: Talk, taskId: string, { id, token }: PushCreateFlags, url: string): Promise<ExitCode> {
  talk.announce("CreateTaskPushNotificationConfig", escapeText(url));
  const config = { taskId, url, ...(id !== undefined && { id }), ...(token !== undefined && { token }) };
  return ask(talk, "CreateTaskPushNotificationConfig", config, (made) => talk.screen.line(lineOf(made)));
}

/**
 * Opens a webhook, lets the agent call it, and shows each call until the task ends, time runs out or the user stops.
 */
async function listenFor(talk: Talk, taskId: string, flags: PushCreateFlags): Promise<ExitCode> {
  const { startReceiver } = await import("@assay/suite");
  if (flags.webhookUrl !== undefined && !URL.canParse(flags.webhookUrl))
    throw new UsageError(`--webhook-url ${flags.webhookUrl} is not a valid URL`);
  const receiver = await startReceiver({
    ...(flags.listen ?? { host: "127.0.0.1", port: 0 }),
    ...(flags.webhookUrl !== undefined && { url: flags.webhookUrl }),
  });
  try {
    const begun = performance.now();
    const box = receiver.mailbox();
    const code = await register(talk, taskId, flags, box.url);
    if (code !== exitCodes.fine) return code;
    if (!talk.json) talk.screen.line("waiting for notifications; press Ctrl-C to stop");
    const ended = await arriving(talk, box, { begun, withinMs: (flags.for ?? 300) * 1_000 });
    if (!talk.json)
      talk.screen.line(
        `${plural(box.deliveries.length, "notification")}${ended ? "; the task has ended" : "; no final notification arrived"}`,
      );
    return exitCodes.fine;
  } finally {
    await receiver.close();
  }
}

/** Shows notifications; returns true after the final one. */
async function arriving(
  talk: Talk,
  box: {
    readonly deliveries: readonly WebhookDelivery[];
    wait(enough: () => boolean, withinMs: number): Promise<unknown>;
  },
  { begun, withinMs }: { readonly begun: number; readonly withinMs: number },
): Promise<boolean> {
  const timeline = createTimeline(talk.screen);
  let shown = 0;
  let ended = false;
  const enough = (): boolean => {
    for (const { at, method, headers, body } of box.deliveries.slice(shown)) {
      shown++;
      const text = Buffer.from(body).toString("utf8");
      const event = eventIn(text);
      if (talk.json) talk.screen.json({ at: Math.round(at - begun), method, headers, body: event ?? text });
      else if (event) timeline.event(at - begun, talk.connection.mask.value(event));
      else
        timeline.trouble(at - begun, `${method} without a task event: ${brief(talk.connection.mask.text(text), 80)}`);
      ended ||= tellsEnd(event);
    }
    return ended || talk.signal.aborted;
  };
  const interrupted = new Promise<void>((resolve) =>
    talk.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  await Promise.race([box.wait(enough, withinMs), interrupted]);
  return ended;
}

/** Returns the event of a notification. In 1.0 it is a StreamResponse; older versions send the task itself. */
function eventIn(text: string): StreamResponse | undefined {
  const json = jsonObjectIn(text);
  if (!json) return undefined;
  const members = ["task", "message", "statusUpdate", "artifactUpdate"];
  // The timeline checks each member itself.
  if (members.some((name) => name in json)) return json as unknown as StreamResponse;
  return "status" in json && "id" in json ? ({ task: json } as unknown as StreamResponse) : undefined;
}

const tellsEnd = (event: StreamResponse | undefined): boolean =>
  /COMPLETED|FAILED|CANCELED|REJECTED/i.test(`${event?.task?.status?.state ?? event?.statusUpdate?.status?.state}`);
