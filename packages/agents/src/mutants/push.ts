import { randomUUID } from "node:crypto";
import { instead } from "../bending/operations.ts";
import type { Layers } from "../layers.ts";
import { mutant } from "../mutant.ts";

type Header = readonly [string, string];

/** Notifications, changed before they leave. */
const posting =
  (change: (headers: readonly Header[], body: string) => { headers: readonly Header[]; body: string }) =>
  (post: Parameters<NonNullable<Layers["push"]>>[0]): typeof post =>
  (url, given, text, signal) => {
    const { headers, body } = change(given, text);
    return post(url, headers, body, signal);
  };

const replaced = (headers: readonly Header[], name: string, value: (old: string) => string): Header[] =>
  headers.map(([key, old]) => [key, key === name ? value(old) : old]);

export const pushMutants = [
  mutant("PUSH-001.takes-it", "minimal", "Takes push configurations although it sends no notifications.", {
    operations: instead(["CreateTaskPushNotificationConfig"], async ({ request }) => ({
      answer: { ...request, id: request.id || randomUUID() },
    })),
  }),

  mutant("PUSH-010.first-one", "full", "Shows the first configuration of a task, whichever is asked for.", {
    operations: instead(["GetTaskPushNotificationConfig"], async ({ request, proceed, ask }) => {
      const { configs = [] } = await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
      return configs[0] ? { answer: configs[0] } : proceed();
    }),
  }),

  mutant("PUSH-016.kept", "full", "Says that a configuration is deleted, and keeps it.", {
    operations: instead(["DeleteTaskPushNotificationConfig"], async ({ request, ask }) => {
      await ask("ListTaskPushNotificationConfigs", { taskId: request.taskId });
      return { answer: {} };
    }),
  }),

  mutant("PUSH-022.bare", "full", "Posts to webhooks what happened without saying what it is, as 0.3 did.", {
    push: posting((headers, body) => ({ headers, body: JSON.stringify(Object.values(JSON.parse(body) as object)[0]) })),
  }),

  mutant("PUSH-024.always-bearer", "full", "Shows every webhook its credentials as a Bearer token.", {
    push: posting((headers, body) => ({
      headers: replaced(headers, "Authorization", (old) => old.replace(/^\S+/, "Bearer")),
      body,
    })),
  }),

  mutant("PUSH-025.form", "full", "Labels what it posts to webhooks as a form.", {
    push: posting((headers, body) => ({
      headers: replaced(headers, "Content-Type", () => "application/x-www-form-urlencoded"),
      body,
    })),
  }),
];
