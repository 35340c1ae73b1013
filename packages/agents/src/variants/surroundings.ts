import { A2AError, type JsonObject, type JsonValue, type ListTasksRequest, type Message } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import type { Outcome } from "../definition/call.ts";
import { type Divergence, full, spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { eachMember, eachObject, inJson } from "../mutation/json.ts";
import { intercept } from "../mutation/operations.ts";
import { signAnew } from "../mutation/signing.ts";
import { lateTasks } from "./late-stores.ts";

/**
 * Agents whose surroundings show in their responses. Effects on the way to the agent are in
 * `../surroundings`; both are tested in e2e/surroundings.
 */

const sends = ["SendMessage", "SendStreamingMessage"] as const;

/** Makes every second page of a list empty, with a token for the next. */
const sparse = intercept(["ListTasks"], async ({ request, proceed, ask }): Promise<Outcome> => {
  const { pageToken = "", ...rest } = request;
  const wish = (token: string): ListTasksRequest => ({ ...rest, ...(token && { pageToken: token }) });
  if (pageToken.startsWith("full-")) return proceed(wish(pageToken.slice("full-".length)));
  const page = await ask("ListTasks", wish(pageToken));
  return { answer: { ...page, tasks: [], nextPageToken: `full-${pageToken}` } };
});

/** Shifts the clock: every time in responses and in requests. */
function clockOff(ms: number): Layers {
  const moved = (time: JsonValue): JsonValue => new Date(Date.parse(String(time)) + ms).toISOString();
  const told = <T>(value: T): T => eachMember(value as JsonValue, "timestamp", moved) as T;
  return {
    operations: (perform) => async (operation, request, invocation) => {
      const { statusTimestampAfter: after, ...rest } = request as ListTasksRequest;
      const asked = after === undefined ? request : { ...rest, statusTimestampAfter: shifted(after, -ms) };
      const { answer, events } = await perform(operation, asked as typeof request, invocation);
      if (!events) return { answer: told(answer) };
      return {
        events: (async function* () {
          for await (const event of events) yield told(event);
        })(),
      };
    },
  };
}

const shifted = (time: string, ms: number): string => {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : new Date(at + ms).toISOString();
};

/** Converts data parts to text parts, and rejects a message with text parts. */
function spoken({ parts, ...message }: Message): Message {
  if (parts.some(({ text }) => text !== undefined))
    throw new A2AError(
      "ContentTypeNotSupported",
      "This agent does not accept text/plain. It accepts application/json",
      {
        facts: { mediaType: "text/plain" },
      },
    );
  const words = parts.map(({ data }) => (data as { text?: unknown } | undefined)?.text);
  return { ...message, parts: [{ text: words.filter((word) => typeof word === "string").join(" ") }] };
}

const dataOnly: Divergence = spec(
  "data-only",
  "Accepts application/json only, as its card says. Its replies are data parts with a text member.",
  () => ({
    card: (card) => ({ ...card, defaultInputModes: ["application/json"] }),
    operations: intercept(sends, ({ request, proceed }) => proceed({ ...request, message: spoken(request.message) })),
  }),
);

/** Removes the interfaces without a tenant from a card. */
const ofTenants = (card: JsonObject): JsonObject => ({
  ...card,
  supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).filter(({ tenant }) => tenant !== undefined),
});

/** Answers HTTP+JSON requests without a known tenant with the page of a web server. */
const onlyOfTenants =
  (serve: Handler): Handler =>
  (request, reply) =>
    /\/(message:|tasks|extendedAgentCard)/.test(request.path) && !/\/(north|south)\//.test(request.path)
      ? reply.send(404, { "Content-Type": "text/plain" }, "404 page not found")
      : serve(request, reply);

export const surroundingVariants: readonly Divergence[] = [
  // The specification does not promise that a write can be read at once. Replicated stores behave like this.
  {
    ...spec("replica-lag", "Alternates between two replicas, one of which is half a second behind.", {}),
    differs: () => ({ layers: lateTasks({ lagMs: 500, alternates: true }) }),
  },

  // §3.1.4 sets no minimum for a page. Stores that filter after the index lookup leave some pages empty.
  spec("sparse-pages", "Every second page of a list is empty and has a token for the next page.", {
    operations: sparse,
  }),

  dataOnly,

  // §4.4.6: a tenant belongs to an interface. A platform may have no interface without one.
  full("tenant-only", "Every interface on its card has a tenant.", {
    http: signAnew({ card: ofTenants }),
  }),

  // §11.3 names the paths, and none is for a tenant that the card does not have. Routers answer there with their own page.
  full(
    "tenant-router",
    "Every interface on its card has a tenant. Over HTTP+JSON, its web server has no other paths.",
    {
      http: (serve) => signAnew({ card: ofTenants })(onlyOfTenants(serve)),
    },
  ),

  spec("clock-ahead", "Its clock is an hour ahead.", clockOff(3_600_000)),
  spec("clock-behind", "Its clock is an hour behind.", clockOff(-3_600_000)),

  // §5.7: clients ignore unknown members, here one that 0.3 had in another place.
  spec("typed-text", "Every text part also has a mimeType.", {
    codec: inJson((json) =>
      eachObject(json, (object) =>
        typeof object["text"] === "string" ? { ...object, mimeType: "text/plain" } : object,
      ),
    ),
  }),
];
