import { quote } from "@assay/protocol";
import { isWebPage } from "../recording/web-page.ts";
import { type CardSearch, isLate, tooLarge } from "./discover.ts";
import { challengeOf } from "./endpoint-trouble.ts";

/** Why there is no card to go by: what was seen, and what to do next. */
export interface CardTrouble {
  readonly kind: "login" | "payment" | "refused" | "unreachable" | "no-card";
  readonly message: string;
  readonly hint: string;
}

export const loginHint = "Give one: --bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD";
export const paymentHint = "Credentials that were paid for go along with --bearer, --api-key or --header";

type Place = CardSearch["tried"][number];

/** The sentence for a search that found nothing, by the place that says most. */
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

/** Some redirects lead from http to https, or to a host of its own for logins. */
const isRedirected = ({ url, exchange }: Place): boolean => exchange.http.request.url !== url;

function silence(address: string, place: Place): CardTrouble {
  const { code, hint } = place.exchange.failure!;
  if (code === "refused-by-guard")
    return {
      kind: "refused",
      message: `${place.exchange.http.request.url} was not contacted: ${place.saw}`,
      hint: hint ?? "If it should be contacted, name its host with --allow-host",
    };
  const message = isRedirected(place)
    ? `${place.url} leads to ${place.exchange.http.request.url}, which cannot be reached (${place.saw}).`
    : `Nothing answers at ${address} (${place.saw}).`;
  return { kind: "unreachable", message, hint: hint ?? "Is the address right, and can this machine reach it?" };
}

function noCard(address: string, tried: readonly Place[], other: CardSearch["other"]): CardTrouble {
  if (other) {
    const { json, url } = other;
    const name = typeof json["name"] === "string" ? `, ${quote(json["name"])}` : "";
    return {
      kind: "no-card",
      message: `No agent card was found for ${address}; that at ${url} is of another agent${name}.`,
      hint: `If that is the agent you mean, give its address: ${url.replace(/\/\.well-known\/.*$/, "")}`,
    };
  }
  const places = tried.map((place) => `${place.url}: ${place.saw}`).join("; ");
  return {
    kind: "no-card",
    message: `No agent card was found for ${address}. Tried ${places}.`,
    // One place alone was tried where the user gave the address of a card.
    hint: `${hintFor(tried)}${tried.length > 1 ? ofSeveral(new URL(address).origin) : ""}`,
  };
}

/** Frameworks that host several agents have no card at the usual place, and no list of those they have. */
const ofSeveral = (origin: string): string =>
  `. A server of several agents has a card for each: try ${origin}/.well-known/<agent>/agent-card.json, or ${origin}/api/.well-known/<agent>/agent-card.json`;

/** What to do about a place at which something else than a card is served, by what it is. */
function hintFor(tried: readonly Place[]): string {
  const row = hints.find(({ when }) => tried.some(when));
  return row?.hint ?? "Is the agent served under a path? Give that path, or the address of the card itself";
}

const hints: readonly { readonly when: (place: Place) => boolean; readonly hint: string }[] = [
  {
    when: ({ exchange }) => exchange.http.response?.status === 500,
    hint: "The server broke down over its card: its log says why",
  },
  {
    when: ({ exchange }) => exchange.failure !== undefined && isLate(exchange.failure),
    hint: "Give it more time: --timeout <seconds>",
  },
  {
    when: ({ saw }) => saw === tooLarge,
    hint: "Publish a smaller card: no client reads hundreds of thousands of values",
  },
  { when: ({ saw }) => saw === "200, but no JSON", hint: "The card has to be JSON: a parser says where it is not" },
  { when: ({ exchange }) => isWebPage(exchange), hint: "Give the address of the agent, not of its website" },
];
