import type { Script } from "../ends.ts";
import type { Property } from "../property.ts";
import { messageOf, requestOf } from "../requests.ts";
import { broken, type ExaminedProperty, type GatewayCall, notExamined, preserved } from "../verdict.ts";

const want = "the message once";

function deliveredOnce(passage: GatewayCall, when: string): ExaminedProperty {
  const times = passage.agent.length;
  if (times === 0) return { judgement: notExamined("the message did not reach the agent"), passages: [passage] };
  const judgement =
    times === 1
      ? preserved
      : broken(
          `the gateway delivers a message ${times} times${when}`,
          { saw: `the message ${times} times`, want },
          { part: "request" },
        );
  return { judgement, passages: [passage] };
}

const delivery = (property: Pick<Property, "id" | "title">, when: string, script?: Script): Property => ({
  ...property,
  area: "delivery",
  isProof: true,
  breaks: "The agent does the work twice: two tasks, two bookings, two model calls.",
  remedy: "Never retry POST requests on this route.",
  async examine(ends, binding) {
    const spec = requestOf(ends.through, binding, "SendMessage", messageOf("message-only gateway"));
    return deliveredOnce(await ends.send(spec, script), when);
  },
});

export const deliveryProperties: readonly Property[] = [
  delivery({ id: "GW-DELIVERY-ONCE", title: "The gateway delivers a message once" }, ""),
  delivery(
    { id: "GW-DELIVERY-AFTER-RESET", title: "The gateway does not repeat a message after a lost connection" },
    " when the agent closes the connection",
    async (request, reply) => {
      await request.body();
      reply.raw.destroy();
    },
  ),
  delivery(
    { id: "GW-DELIVERY-AFTER-503", title: "The gateway does not repeat a message after HTTP 503" },
    " when the agent answers with 503",
    async (request, reply) => {
      await request.body();
      reply.send(503, { "Content-Type": "application/json" }, "{}");
    },
  ),
];
