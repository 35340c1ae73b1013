import type { JsonObject } from "@assay/protocol";
import { cardOf, cardPath, type Exhibit, exhibit, jsonRpcAt, olderCardPath } from "./exhibit.ts";
import { calledIn, card, json, redirect, text, workingCard } from "./serving.ts";

/** Exhibits in which the versions of card, path and agent differ. */

/** A 0.3 card for an agent at this address. */
const olderCard = (url: string): JsonObject => {
  const { supportedInterfaces: _new, ...rest } = cardOf([]);
  return { ...rest, url, protocolVersion: "0.3.0", preferredTransport: "JSONRPC" };
};

/** A 0.3 card without its address. */
const lostAddress = (): JsonObject => {
  const { url: _lost, ...rest } = olderCard("");
  return rest;
};

/** A 0.1 card, which has no version and lists its login schemes itself. */
const earliestCard = (more: JsonObject): JsonObject => ({
  name: "Gallery Agent",
  version: "1.0.0",
  capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
  authentication: { schemes: [] },
  skills: [{ id: "talk", name: "Talk" }],
  ...more,
});

/** A card with an address and no sign of its version. */
const silentCard = (url: string): JsonObject => {
  const { supportedInterfaces: _new, ...rest } = cardOf([]);
  return { ...rest, url };
};

const earliestMethods = ["tasks/send", "tasks/sendSubscribe", "tasks/get", "tasks/cancel", "tasks/resubscribe"];

/** The message when Assay calls the agent. */
const spoken = (says: string) => ({ test: says, send: says });

export const versionExhibits: readonly Exhibit[] = [
  exhibit("older-methods", "The card says 1.0, but the agent supports only message/send and other older methods.", {
    says: {
      ...spoken("{origin}/spec03 speaks 0.3 (message/send), not 1.0 as its card says"),
      card: "No errors in this card",
    },
    fix: "Declare 0.3 on the card, or serve the methods of 1.0",
    exit: { test: 1, card: 0, send: 1 },
    serves: { [cardPath]: card(({ origin }) => cardOf([jsonRpcAt(`${origin}/spec03`)])) },
  }),
  exhibit("newer-methods", "The card says 0.3, but the agent supports only SendMessage and other newer methods.", {
    says: {
      ...spoken("{origin}/minimal speaks 1.0 (SendMessage), not 0.3 as its card says"),
      card: "is a card of protocol version 0.3",
    },
    fix: "Declare 1.0 on the card, or serve the methods of 0.3",
    exit: { test: 1, card: 0, send: 1 },
    serves: { [cardPath]: card(({ origin }) => olderCard(`${origin}/minimal`)) },
  }),
  exhibit("older-card-at-new-path", "A 0.3 agent serves its 0.3 card at agent-card.json, as 0.3 defines.", {
    says: { test: "conformant", card: "is a card of protocol version 0.3", send: "Start your message with one of" },
    exit: 0,
    serves: { [cardPath]: card(({ origin }) => olderCard(`${origin}/spec03`)) },
  }),
  exhibit("new-card-at-older-path", "A 1.0 card is served only at the path of versions before 0.3.", {
    says: {
      test: "card is served only at /.well-known/agent.json, the path of versions before 0.3",
      card: "card is served only at /.well-known/agent.json, the path of versions before 0.3",
      send: "Echo: hello",
    },
    exit: 0,
    serves: { [olderCardPath]: card(workingCard) },
  }),
  exhibit("lost-url", "A 0.3 card lacks only its url.", {
    says: "The card is one of 0.3 and has no `url`, so clients cannot reach the agent",
    fix: "Set the top-level `url` to the address that clients call",
    exit: 1,
    serves: { [cardPath]: card(lostAddress) },
  }),
  exhibit("lost-url-0.1", "A 0.1 card, at the path of its version, lacks only its url.", {
    says: "The card is one of 0.1 and has no `url`, so clients cannot reach the agent",
    fix: "Set the top-level `url` to the address that clients call",
    exit: 1,
    serves: { [olderCardPath]: card(() => earliestCard({})) },
  }),
  exhibit("mixed-members", "The card has the members of 0.3, no url, and an empty list of interfaces.", {
    says: "The card is one of 0.3 and has no `url`, so clients cannot reach the agent",
    fix: "Set the top-level `url` to the address that clients call",
    exit: 1,
    serves: { [cardPath]: card(() => ({ ...lostAddress(), supportedInterfaces: [] })) },
  }),
  exhibit("silent-card", "The card has a url and no sign of its version. The agent speaks 0.1.", {
    says: {
      test: "VERSION 0.1 the endpoint knows tasks/send",
      card: "Versions 0.1 the endpoint knows tasks/send",
      send: "Start your message with one of",
    },
    exit: 0,
    serves: { [cardPath]: card(({ origin }) => silentCard(`${origin}/spec01`)) },
  }),
  exhibit(
    "silent-card-of-1.0",
    "The card has a url and no sign of its version. The agent speaks 1.0, whose cards list interfaces.",
    {
      says: {
        test: "supportedInterfaces",
        card: "Versions 1.0 the endpoint knows GetTask",
        send: "Start your message with one of",
      },
      fix: "List every interface in `supportedInterfaces` with url, protocolBinding and protocolVersion",
      exit: { test: 1, card: 1, send: 0 },
      serves: { [cardPath]: card(({ origin }) => silentCard(`${origin}/minimal`)) },
    },
  ),
  exhibit(
    "wrong-code-for-unknown-methods",
    "The agent speaks 0.1, and its card does not say so. It returns invalid request for unknown methods.",
    {
      says: {
        test: "VERSION 0.1 the endpoint knows tasks/send",
        card: "Versions 0.1 the endpoint knows tasks/send",
        send: "Start your message with one of",
      },
      exit: 0,
      serves: {
        [cardPath]: card(({ at }) => silentCard(`${at}/rpc`)),
        "/rpc": async (call) => {
          const { method, id } = await calledIn(call);
          if (method === "" || earliestMethods.includes(method)) return call.agent("/spec01");
          return json({ jsonrpc: "2.0", id, error: { code: -32600, message: "Invalid Request" } })(call);
        },
      },
    },
  ),
  exhibit("older-login", "The agent speaks 0.1 and requires a login, which its card declares as 0.1 does.", {
    says: {
      test: 'This agent asks for a login: {at}/rpc answered HTTP 401 (Bearer realm="gallery"); its card names "Bearer"',
      card: "Login Bearer (httpAuth)",
      send: 'This agent asks for a login: {at}/rpc answered HTTP 401 (Bearer realm="gallery")',
    },
    fix: "--bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD",
    exit: { test: 2, card: 0, send: 2 },
    serves: {
      [olderCardPath]: card(({ at }) => earliestCard({ url: `${at}/rpc`, authentication: { schemes: ["Bearer"] } })),
      "/rpc": text(401, "application/json", '{"error":"unauthorized"}', {
        "WWW-Authenticate": 'Bearer realm="gallery"',
      }),
    },
  }),
  exhibit("card-above", "The agent's address is below the address of its card.", {
    address: "/gallery/card-above/agents/echo",
    says: {
      test: "conformant",
      card: "{origin}/gallery/card-above/.well-known/agent-card.json",
      send: "Echo: hello",
    },
    exit: 0,
    serves: {
      [cardPath]: card(({ at }) => cardOf([jsonRpcAt(`${at}/agents/echo`)])),
      "/agents/echo": ({ agent }) => agent("/echo"),
    },
  }),
  exhibit("another-card", "The agent has no card. The card of its host belongs to another agent.", {
    says: 'No agent card was found for {typed}. The card at {origin}/.well-known/agent-card.json belongs to another agent, "Spec Agent"',
    fix: "If you mean that agent, pass its address: {origin}",
    exit: 2,
    serves: {},
  }),
  exhibit("to-https", "The card path redirects to https, where no server answers.", {
    address: `/gallery/to-https${cardPath}`,
    says: "{typed} leads to https://{host}/gallery/to-https/.well-known/agent-card.json, which is unreachable",
    fix: "Check that the server uses TLS on this port.",
    exit: 2,
    serves: { [cardPath]: redirect(301, ({ at }) => `${at.replace("http:", "https:")}${cardPath}`) },
  }),
];
