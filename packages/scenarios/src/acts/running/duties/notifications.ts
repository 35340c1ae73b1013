import { jsonIn } from "@assay/protocol";
import type { WebhookDelivery } from "@assay/suite";
import { brief } from "../answer.ts";
import type { TestRun } from "../run-test.ts";
import { Skipped } from "../verdicts.ts";
import type { Duty } from "./duty.ts";
import { violationsOf } from "./schema.ts";

/** Milliseconds for a notification to arrive. */
const notified = 10_000;

const inDelivery = ({ headers }: WebhookDelivery, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

async function deliveries(
  run: TestRun,
  enough: (all: readonly WebhookDelivery[]) => boolean,
): Promise<readonly WebhookDelivery[]> {
  const came = (await run.mailbox?.wait(enough, notified)) ?? [];
  if (!came.length && run.place.agent.webhook?.reachable === false)
    throw new Skipped("no notification arrived; if the agent does not call private addresses, use --webhook-url <url>");
  return came;
}

export const withToken = (token: string): Duty => ({
  hears: true,
  says: `a notification arrives, and carries Authorization: Bearer ${token}`,
  answers: (delivery) => (inDelivery(delivery, "authorization") === `Bearer ${token}` ? 200 : 401),
  async after(run) {
    const came = await deliveries(run, (all) =>
      all.some((each) => inDelivery(each, "authorization") === `Bearer ${token}`),
    );
    if (came.some((each) => inDelivery(each, "authorization") === `Bearer ${token}`)) return undefined;
    const seen = came.map((each) => inDelivery(each, "authorization") ?? "none").join(", ");
    return run
      .judgeOf("set-config")
      .fail(came.length ? "no notification carries the credentials of its configuration" : "no notification arrived", {
        expected: `Authorization: Bearer ${token}`,
        actual: came.length ? `Authorization: ${seen}` : `nothing in ${notified / 1000} s`,
      });
  },
});

// The client of this test is this runner: its webhook rejects notifications without the token.
export const turnsAwayStrangers: Duty = {
  hears: true,
  ...withToken("expected-token"),
  says: "the webhook of Assay accepts the agent's notification and rejects one with other credentials",
  async after(run) {
    const note = await withToken("expected-token").after!(run);
    const url = run.mailbox!.url;
    const { status } = await fetch(url, { method: "POST", headers: { Authorization: "Bearer wrong" }, body: "{}" });
    if (status === 401) return note;
    return run
      .judgeOf("set-config")
      .fail("internal error: the webhook of Assay accepted a notification with wrong credentials", {
        expected: "401",
        actual: String(status),
      });
  },
};

export const atLeastOnce: Duty = {
  hears: true,
  says: "at least one notification arrives",
  async after(run) {
    const came = await deliveries(run, (all) => all.length > 0);
    if (came.length) return undefined;
    return run.judgeOf("set-config").fail("no notification arrived", {
      expected: "at least one notification",
      actual: `nothing in ${notified / 1000} s`,
    });
  },
};

export const inTheFormat: Duty = {
  hears: true,
  says: "every notification is a StreamResponse by the schema of 1.0",
  async after(run) {
    const came = await deliveries(run, (all) => all.length > 0);
    if (!came.length)
      return run.judgeOf("set-config").fail("no notification arrived", {
        expected: "at least one notification",
        actual: `nothing in ${notified / 1000} s`,
      });
    for (const { body } of came) {
      const text = Buffer.from(body).toString("utf8");
      const [first] = violationsOf("StreamResponse", jsonIn(text) ?? text);
      if (first)
        run.judgeOf("set-config").fail(`a notification is not a StreamResponse: ${first.path} ${first.message}`, {
          path: first.path,
          expected: "a valid StreamResponse",
          actual: brief(text, 400),
        });
    }
    return undefined;
  },
};
