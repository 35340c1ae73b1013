import { cardOf, cardPath, type Exhibit, exhibit, type Serve } from "./exhibit.ts";
import { card, json, page, redirect, text, workingCard } from "./serving.ts";

/** Exhibits without a card, or with one that must be requested in another way. */

const address = (id: string): string => `/gallery/${id}${cardPath}`;
const noCard = (saw: string): string => `No agent card was found for {typed}. Tried {typed}: ${saw}.`;
const elsewhere = "If the agent is served under a path, pass that path, or the address of the card itself";
const login = "Pass credentials: --bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD";

const unauthorised: Serve = text(401, "application/json", '{"error":"unauthorized"}', {
  "WWW-Authenticate": 'Bearer realm="gallery"',
});

/** Writes forever, as fast as the client reads. */
const endless: Serve = ({ reply: { raw }, request: { signal } }) =>
  new Promise((resolve) => {
    raw.writeHead(200, { "Content-Type": "application/json" });
    const spaces = " ".repeat(1 << 20);
    const more = (): void => {
      if (signal.aborted || raw.destroyed) resolve();
      else raw.write(spaces, () => setImmediate(more));
    };
    raw.write('{"name":"Endless"');
    more();
  });

/** Sends the first bytes, and then nothing until the client disconnects. */
const stalled: Serve = ({ reply: { raw }, request: { signal } }) =>
  new Promise((resolve) => {
    raw.writeHead(200, { "Content-Type": "application/json" });
    raw.write('{"name":');
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

const spoiled =
  (spoil: (text: string) => string, type = "application/json"): Serve =>
  (call) =>
    call.reply.send(200, { "Content-Type": type }, spoil(JSON.stringify(workingCard(call), null, 2)));

export const cardExhibits: readonly Exhibit[] = [
  exhibit("card-404", "The card path returns 404.", {
    address: address("card-404"),
    says: noCard("HTTP 404"),
    fix: elsewhere,
    exit: 2,
    serves: {},
  }),
  exhibit("card-405", "The card path accepts POST only.", {
    address: address("card-405"),
    says: noCard("HTTP 405"),
    fix: elsewhere,
    exit: 2,
    serves: { [cardPath]: text(405, "text/plain", "Method Not Allowed", { Allow: "POST" }) },
  }),
  exhibit("card-500", "The card path returns HTTP 500.", {
    address: address("card-500"),
    says: noCard("HTTP 500"),
    fix: "The server failed to serve its card. See its log",
    exit: 2,
    serves: { [cardPath]: text(500, "text/plain", "Internal Server Error") },
  }),
  exhibit("website", "A website returns the same page for every path.", {
    address: address("website"),
    says: noCard("200, but a web page"),
    fix: "Pass the address of the agent, not of its website",
    exit: 2,
    serves: { [cardPath]: page("Welcome") },
  }),
  exhibit(
    "html-labelled-json",
    "The card path returns an HTML error page with status 200 and Content-Type application/json.",
    {
      address: address("html-labelled-json"),
      says: noCard("200, but a web page"),
      fix: "Pass the address of the agent, not of its website",
      exit: 2,
      serves: { [cardPath]: text(200, "application/json", "<!doctype html>\n<title>Oops</title>\n") },
    },
  ),
  exhibit("login-page", "The card path redirects to a login page for people.", {
    address: address("login-page"),
    says: "This agent asks for a login: {typed} leads to {at}/login, a web page.",
    fix: login,
    exit: 2,
    serves: { [cardPath]: redirect(302, ({ at }) => `${at}/login`), "/login": page("Sign in") },
  }),
  exhibit("card-401", "The card requires a login.", {
    address: address("card-401"),
    says: 'This agent asks for a login: {typed} answered HTTP 401 (Bearer realm="gallery").',
    fix: login,
    exit: 2,
    serves: { [cardPath]: unauthorised },
  }),
  exhibit("card-403", "The card path returns 403 and does not say how to log in.", {
    address: address("card-403"),
    says: "This agent asks for a login: {typed} answered HTTP 403.",
    fix: login,
    exit: 2,
    serves: { [cardPath]: text(403, "text/plain", "Forbidden") },
  }),
  exhibit("card-402", "The card path requires payment.", {
    address: address("card-402"),
    says: "This agent asks for payment: {typed} answered HTTP 402.",
    fix: "If you have paid, pass your credentials: --bearer, --api-key or --header",
    exit: 2,
    serves: { [cardPath]: json({ error: "Payment Required" }, 402) },
  }),
  exhibit("card-behind-token", "The card requires a token, and the token is sent.", {
    flags: ["--bearer", "gallery-token"],
    says: { test: "conformant", card: "No errors in this card", send: "Echo: hello" },
    exit: 0,
    serves: {
      [cardPath]: (call) =>
        call.request.headers.authorization === "Bearer gallery-token" ? card(workingCard)(call) : unauthorised(call),
    },
  }),
  exhibit("stalled-card", "The card starts and then stalls.", {
    address: address("stalled-card"),
    flags: ["--timeout", "1"],
    says: noCard("timeout: no byte arrived for 1000 ms"),
    fix: "Increase the timeout: --timeout <seconds>",
    exit: 2,
    serves: { [cardPath]: stalled },
  }),
  exhibit("endless-card", "The card never ends.", {
    address: address("endless-card"),
    says: noCard("the response exceeds 32 MiB"),
    fix: elsewhere,
    exit: 2,
    serves: { [cardPath]: endless },
  }),
  exhibit("cut-card", "The card is cut off in the middle.", {
    address: address("cut-card"),
    says: noCard("200, but not JSON"),
    fix: "Serve the card as valid JSON",
    exit: 2,
    serves: { [cardPath]: spoiled((whole) => whole.slice(0, whole.length / 2)) },
  }),
  exhibit("trailing-comma", "The card has a trailing comma, so it is not valid JSON.", {
    address: address("trailing-comma"),
    says: noCard("200, but not JSON"),
    fix: "Serve the card as valid JSON",
    exit: 2,
    serves: { [cardPath]: spoiled((whole) => whole.replace(/\n}$/, ",\n}")) },
  }),
  exhibit("byte-order-mark", "The card starts with a byte order mark.", {
    says: {
      test: "starts with a byte order mark",
      card: "starts with a byte order mark",
      send: "Echo: hello",
    },
    exit: 0,
    serves: { [cardPath]: spoiled((whole) => `\ufeff${whole}`) },
  }),
  exhibit("empty-card", "The card is an empty object.", {
    address: address("empty-card"),
    says: noCard("200, but not an agent card"),
    fix: elsewhere,
    exit: 2,
    serves: { [cardPath]: json({}) },
  }),
  exhibit("list-of-cards", "The card is wrapped in a list.", {
    address: address("list-of-cards"),
    says: noCard("200, but not an agent card"),
    fix: elsewhere,
    exit: 2,
    serves: { [cardPath]: json(() => [cardOf([])]) },
  }),
  exhibit("openai-api", "The address belongs to a model API, which has no card.", {
    address: address("openai-api"),
    says: noCard("HTTP 404"),
    fix: elsewhere,
    exit: 2,
    serves: {
      [cardPath]: json({ error: { message: "Unknown request URL", type: "invalid_request_error", param: null } }, 404),
    },
  }),
  exhibit("moved-card", "The card path redirects to another path that has the card.", {
    says: { test: "conformant", card: "No errors in this card", send: "Echo: hello" },
    exit: 0,
    serves: { [cardPath]: redirect(301, ({ at }) => `${at}/card.json`), "/card.json": card(workingCard) },
  }),
  exhibit("plain-text-card", "The card has Content-Type text/plain.", {
    says: {
      test: 'the card is labelled "text/plain"',
      card: 'the card is labelled "text/plain"',
      send: "Echo: hello",
    },
    exit: 0,
    serves: { [cardPath]: spoiled((whole) => whole, "text/plain") },
  }),
];
