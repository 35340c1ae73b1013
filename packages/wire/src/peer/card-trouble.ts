import { quote } from "@assay/protocol";
import { isWebPage } from "../recording/web-page.ts";
import { type CardSearch, isLate, tooLarge } from "./discover.ts";
import { challengeOf } from "./endpoint-trouble.ts";

/** The reason why no card was found, and the next step. */
export interface CardTrouble {
  readonly kind: "login" | "payment" | "refused" | "unreachable" | "no-card";
  readonly message: string;
  readonly hint: string;
}

export const loginHint = "Pass credentials: --bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD";
export const paymentHint = "If you have paid, pass your credentials: --bearer, --api-key or --header";

type Place = CardSearch["tried"][number];

/** Describes an unsuccessful search by the place that says most. */
export function cardTrouble(address: string, { tried, other }: CardSearch): CardTrouble {
  const login = tried.find(({ exchange }) => [401, 403].includes(exchange.http.response?.status ?? 0));
  if (login) {
    const answered = `${login.url} answered ${login.saw}${challengeOf(login.exchange)}`;
    return { kind: "login", message: `This agent asks for a login: ${answered}.`, hint: loginHint };
  }
  const gate = tried.find((place) => isRedirected(place) && isWebPage(place.exchange));
  if (gate) {
    const leads = `${gate.url} leads to ${gate.exchange.http.request.url}, a web page`;
    return { kind: "login", message: `This agent asks for a login: ${leads}.`, hint: loginHint };
  }
  const paid = tried.find(({ exchange }) => exchange.http.response?.status === 402);
  if (paid) {
    const message = `This agent asks for payment: ${paid.url} answered ${paid.saw}.`;
    return { kind: "payment", message, hint: paymentHint };
  }
  const silent = tried.find(({ exchange }) => exchange.failure && !exchange.http.response);
  return silent ? silence(address, silent) : noCard(address, tried, other);
}

/** Some redirects lead from http to https, or to a separate login host. */
const isRedirected = ({ url, exchange }: Place): boolean => exchange.http.request.url !== url;

function silence(address: string, place: Place): CardTrouble {
  const { code, hint } = place.exchange.failure!;
  if (code === "refused-by-guard")
    return {
      kind: "refused",
      message: `${place.exchange.http.request.url} was not contacted: ${place.saw}`,
      hint: hint ?? "To allow it, pass its host with --allow-host",
    };
  const message = isRedirected(place)
    ? `${place.url} leads to ${place.exchange.http.request.url}, which is unreachable (${place.saw}).`
    : `Cannot reach ${address} (${place.saw}).`;
  return { kind: "unreachable", message, hint: hint ?? "Check the address, and whether this machine can reach it." };
}

function noCard(address: string, tried: readonly Place[], other: CardSearch["other"]): CardTrouble {
  if (other) {
    const { json, url } = other;
    const name = typeof json["name"] === "string" ? `, ${quote(json["name"])}` : "";
    return {
      kind: "no-card",
      message: `No agent card was found for ${address}. The card at ${url} belongs to another agent${name}.`,
      hint: `If you mean that agent, pass its address: ${url.replace(/\/\.well-known\/.*$/, "")}`,
    };
  }
  const places = tried.map((place) => `${place.url}: ${place.saw}`).join("; ");
  return {
    kind: "no-card",
    message: `No agent card was found for ${address}. Tried ${places}.`,
    // Only one place was tried if the user passed the address of a card.
    hint: `${hintFor(tried)}${tried.length > 1 ? ofSeveral(new URL(address).origin) : ""}`,
  };
}

/** Frameworks that host several agents have no card at the usual place and no list of agents. */
const ofSeveral = (origin: string): string =>
  `. A server with several agents has one card per agent: try ${origin}/.well-known/<agent>/agent-card.json, or ${origin}/api/.well-known/<agent>/agent-card.json`;

/** Returns a hint for a place that serves something other than a card. */
function hintFor(tried: readonly Place[]): string {
  const row = hints.find(({ when }) => tried.some(when));
  return row?.hint ?? "If the agent is served under a path, pass that path, or the address of the card itself";
}

const hints: readonly { readonly when: (place: Place) => boolean; readonly hint: string }[] = [
  {
    when: ({ exchange }) => exchange.http.response?.status === 500,
    hint: "The server failed to serve its card. See its log",
  },
  {
    when: ({ exchange }) => exchange.failure !== undefined && isLate(exchange.failure),
    hint: "Increase the timeout: --timeout <seconds>",
  },
  {
    when: ({ saw }) => saw === tooLarge,
    hint: "Publish a smaller card. No client reads hundreds of thousands of values",
  },
  { when: ({ saw }) => saw === "200, but not JSON", hint: "Serve the card as valid JSON" },
  { when: ({ exchange }) => isWebPage(exchange), hint: "Pass the address of the agent, not of its website" },
];
