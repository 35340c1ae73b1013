import { randomUUID } from "node:crypto";
import type { JsonObject } from "@assay/protocol";
import { isObject } from "@assay/protocol";
import { jsonIn } from "@assay/protocol/json";
import type { Exchange } from "@assay/wire";
import { isSameType, judged, judgedJson, olderTypeIn, requestText, sentHeader } from "../compare.ts";
import type { Ends } from "../ends.ts";
import type { Property } from "../property.ts";
import { idOf, requestOf, resultText, typeOf } from "../requests.ts";
import { broken, changed, type GatewayCall, notExamined, type PropertyVerdict, preserved, worst } from "../verdict.ts";

/** Separates the webhook's address from the rest of a request, because a gateway may replace the address. */
function withoutUrl(text: string): { readonly url: unknown; readonly rest: string } {
  const request = jsonIn(text);
  if (!isObject(request)) return { url: undefined, rest: text };
  const { params, ...outer } = request as JsonObject;
  const { url, ...config } = (isObject(params) ? params : request) as JsonObject;
  return { url, rest: JSON.stringify(isObject(params) ? { ...outer, params: config } : config) };
}

/** Sends a notification as an agent does, to a webhook behind the gateway. */
const notified = (ends: Ends): Promise<GatewayCall> =>
  ends.notify(
    {
      method: "POST",
      url: ends.callbackThrough!,
      headers: [
        ["Content-Type", "application/a2a+json"],
        ["X-A2A-Notification-Token", `assay-${randomUUID()}`],
        ["Authorization", `Bearer assay-${randomUUID()}`],
      ],
      body: Buffer.from(
        JSON.stringify({
          statusUpdate: {
            taskId: randomUUID(),
            contextId: "c",
            status: { state: "TASK_STATE_COMPLETED" },
            metadata: { text: "\u00e9\u4f60" },
          },
        }),
      ),
    },
    async (request, reply) => {
      await request.body();
      reply.send(200, { "Content-Type": "application/json" }, "{}");
    },
  );

const sameHeader =
  (agent: Exchange, client: Exchange) =>
  (name: string): PropertyVerdict => {
    const [want, saw] = [sentHeader(client, name), sentHeader(agent, name)];
    if (want === saw) return preserved;
    if (name === "content-type") {
      if (isSameType(want, saw)) return changed(`Content-Type of a notification has other parameters: ${saw}`);
      const older = olderTypeIn(want, saw);
      if (older !== undefined) return changed(older);
    }
    return broken(`the gateway ${saw === undefined ? "drops" : "changes"} ${name} of a notification`, {
      saw: `${saw === undefined ? "no" : "another"} ${name}`,
      want: `the ${name} that the agent sent`,
    });
  };

export const pushProperties: readonly Property[] = [
  {
    id: "GW-PUSH-CONFIG",
    area: "push",
    title: "The gateway keeps the configuration of a webhook",
    breaks: "The agent calls another address, or the webhook rejects its notifications.",
    remedy: "Pass url, token and authentication of push notification configurations on unchanged.",
    async examine(ends, binding) {
      const config = {
        taskId: randomUUID(),
        url: "https://client.assay.invalid/webhook?a=1&b=%20",
        token: `assay-${randomUUID()}`,
        authentication: { scheme: "Bearer", credentials: `assay-${randomUUID()}` },
      };
      const spec = requestOf(ends.through, binding, "CreateTaskPushNotificationConfig", config);
      const passage = await ends.send(spec, async (request, reply) => {
        const id = idOf(await request.body());
        const result = JSON.stringify({ ...config, id: "p1" });
        reply.send(200, { "Content-Type": typeOf(binding) }, resultText(binding, id, result));
      });
      return judged(passage, (arrived, client) => {
        const [before, after] = [withoutUrl(requestText(client)), withoutUrl(requestText(arrived))];
        const rest = judgedJson("the push notification configuration", before.rest, after.rest);
        if (rest.is === "broken" || before.url === after.url) return rest;
        if (typeof after.url === "string") return changed("the gateway replaces the address of the webhook");
        return broken("the gateway drops the address of the webhook", { saw: "no url", want: `url: ${before.url}` });
      });
    },
  },
  {
    id: "GW-PUSH-CALLBACK",
    area: "push",
    once: true,
    callback: true,
    title: "The gateway passes notifications on unchanged",
    breaks: "Webhooks reject notifications, or cannot read them.",
    remedy: "Pass the body, Content-Type, Authorization and X-A2A-Notification-Token of notifications on unchanged.",
    async examine(ends) {
      return judged(await notified(ends), (agent, client) =>
        worst([
          judgedJson("the notification", requestText(client), requestText(agent)),
          ...["content-type", "x-a2a-notification-token", "authorization"].map(sameHeader(agent, client)),
        ]),
      );
    },
  },
  {
    id: "GW-PUSH-ONCE",
    area: "push",
    isProof: true,
    once: true,
    callback: true,
    title: "The gateway delivers a notification once",
    breaks: "Webhooks handle the same event twice.",
    remedy: "Never retry POST requests on this route.",
    async examine(ends) {
      const passage = await notified(ends);
      const times = passage.agent.length;
      if (times === 0) return { judgement: notExamined("the notification did not arrive"), passages: [passage] };
      const saw = `the notification ${times} times`;
      const judgement =
        times === 1
          ? preserved
          : broken(`the gateway delivers a notification ${times} times`, { saw, want: "the notification once" });
      return { judgement, passages: [passage] };
    },
  },
];
