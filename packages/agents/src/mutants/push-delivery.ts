import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Divergence, full } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { RecentMap } from "../mutation/recent.ts";

type Post = Parameters<NonNullable<Layers["push"]>>[0];
type Header = readonly [string, string];

/** Changes notifications before they are sent. */
const posting =
  (change: (headers: readonly Header[], body: string) => { headers: readonly Header[]; body: string }) =>
  (post: Post): Post =>
  (url, given, text, signal) => {
    const { headers, body } = change(given, text);
    return post(url, headers, body, signal);
  };

/** Drops some notifications. */
const dropping =
  (isDropped: (url: string, body: string) => boolean) =>
  (post: Post): Post =>
  async (url, headers, body, signal) =>
    isDropped(url, body) ? { status: 200 } : post(url, headers, body, signal);

const replaced = (headers: readonly Header[], name: string, value: (old: string) => string): Header[] =>
  headers.map(([key, old]) => [key, key === name ? value(old) : old]);

/** Returns the id of the task that a notification is about. */
export const taskIdIn = (body: string): string => {
  const { task, statusUpdate, artifactUpdate } = JSON.parse(body) as Record<string, { id?: string; taskId?: string }>;
  return task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId ?? "";
};

/** Violations of delivery: which notifications are sent, their content, and their retries. */
export const pushDeliveryMutants: readonly Divergence[] = [
  full("PUSH-020.silent", "The agent accepts push configurations and never calls a webhook.", {
    push: dropping(() => true),
  }),

  full("PUSH-021.first-only", "The agent notifies only the first webhook of a task.", () => {
    const first = new RecentMap<string>();
    const push = dropping((url, body) => {
      const id = taskIdIn(body);
      if (!first.has(id)) first.set(id, url);
      return first.get(id) !== url;
    });
    return { push };
  }),

  full("PUSH-022.bare", "Notifications have no StreamResponse wrapper, as in 0.3.", {
    push: posting((headers, body) => ({ headers, body: JSON.stringify(Object.values(JSON.parse(body) as object)[0]) })),
  }),

  full("PUSH-022.list", "Notifications contain a list of events.", {
    push: posting((headers, body) => ({ headers, body: `[${body}]` })),
  }),

  full("PUSH-023.envelope", "Notifications have a JSON-RPC envelope.", {
    push: posting((headers, body) => ({
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), result: JSON.parse(body) }),
    })),
  }),

  full("PUSH-023.lower-case", "Notifications have task states in the format of 0.3.", {
    push: posting((headers, body) => ({
      headers,
      body: body.replace(/TASK_STATE_(\w+)/g, (_, state: string) => state.toLowerCase()),
    })),
  }),

  full("PUSH-023.snake-case", "Notifications have snake_case member names.", {
    push: posting((headers, body) => ({
      headers,
      body: body.replace(
        /"([a-zA-Z]+)":/g,
        (_, name: string) => `"${name.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`)}":`,
      ),
    })),
  }),

  full("PUSH-024.none", "Notifications lack the credentials of their configuration.", {
    push: posting((headers, body) => ({ headers: headers.filter(([name]) => name !== "Authorization"), body })),
  }),

  full("PUSH-024.always-bearer", "Notifications use the scheme Bearer, whatever scheme is configured.", {
    push: posting((headers, body) => ({
      headers: replaced(headers, "Authorization", (old) => old.replace(/^\S+/, "Bearer")),
      body,
    })),
  }),

  full("PUSH-024.lends-them", "Notifications without credentials carry those of other configurations.", () => {
    const known = new RecentMap<readonly [string, string]>();
    const push =
      (post: Post): Post =>
      (url, headers, body, signal) => {
        const task = /"(?:taskId|id)":"([^"]+)"/.exec(body)?.[1] ?? "";
        const own = headers.find(([name]) => name === "Authorization");
        if (own) known.set(task, own);
        const lent = own ? undefined : known.get(task);
        return post(url, lent ? [...headers, lent] : headers, body, signal);
      };
    return { push };
  }),

  full("PUSH-025.form", "Notifications have the Content-Type of a form.", {
    push: posting((headers, body) => ({
      headers: replaced(headers, "Content-Type", () => "application/x-www-form-urlencoded"),
      body,
    })),
  }),

  full("PUSH-026.exact", "Notifications lack credentials when the scheme is not spelled Bearer.", {
    push: posting((headers, body) => ({
      headers: headers.filter(([name, value]) => name !== "Authorization" || !value.startsWith("bearer ")),
      body,
    })),
  }),

  full("PUSH-027.crossed", "The agent notifies a webhook about another task.", {
    push: posting((headers, body) => ({ headers, body: body.replaceAll(taskIdIn(body), randomUUID()) })),
  }),

  full("PUSH-044.never-the-end", "The agent sends notifications about every state of a task except its last.", {
    push: dropping((_url, body) => /TASK_STATE_(COMPLETED|FAILED|CANCELED|REJECTED)/.test(body)),
  }),

  full("PUSH-045.lost", "The agent does not send the token of a push configuration.", {
    push: posting((headers, body) => ({
      headers: headers.filter(([name]) => name !== "X-A2A-Notification-Token"),
      body,
    })),
  }),

  full("PUSH-031.only-once", "The agent does not retry a failed notification.", {
    push: (post) => async (url, headers, body, signal) => {
      await post(url, headers, body, signal);
      return { status: 200 };
    },
  }),

  full("PUSH-032.for-ever", "The agent waits without a timeout for the response of a webhook.", {
    push: (post) => (url, headers, body, signal) => post(url, headers, body, signal, "webhook for ever"),
  }),

  full("PUSH-033.again-and-again", "The agent repeats a failed notification without a pause.", {
    push: (post) => async (url, headers, body, signal) => {
      for (let attempt = 1; ; attempt++) {
        const result = await post(url, headers, body, signal);
        const isTaken = "status" in result && result.status < 300;
        // Stop when the test bed gives up, or after 200 attempts.
        if (isTaken || signal.aborted || attempt === 200) return result;
        await delay(20, undefined, { signal }).catch(() => {});
      }
    },
  }),

  // A test bed that is bound to loopback calls webhooks on this machine, but on no other private address.
  full("PUSH-034.this-machine", "The agent calls webhooks on its own machine.", {
    push: (post) => post,
  }),
];
