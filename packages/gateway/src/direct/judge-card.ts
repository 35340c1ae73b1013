import { type JsonObject, jsonObjectIn, normaliseCard } from "@assay/protocol";
import { jsonIn } from "@assay/protocol/json";
import type { Exchange } from "@assay/wire";
import { answeredHeader, answerText } from "../compare.ts";
import { excerpts } from "../json-text.ts";
import { listOf, noCard } from "../properties/card.ts";
import { testedBindings } from "../requests.ts";
import { broken, changed, notExamined, type PropertyVerdict, preserved } from "../verdict.ts";
import { leadsPast, restBelow } from "./addresses.ts";
import type { Compared, Difference } from "./samples.ts";

/** Judgements by property id. */
export type Judgements = ReadonlyMap<string, PropertyVerdict>;

const cardIn = (exchange: Exchange): JsonObject | undefined =>
  exchange.http.response?.status === 200 ? jsonObjectIn(answerText(exchange)) : undefined;

/** Returns the last card of a path, if it serves one. */
export const lastCard = (exchanges: readonly Exchange[]): JsonObject | undefined =>
  exchanges
    .map(cardIn)
    .filter((card) => card !== undefined)
    .at(-1);

/** Members with a property of their own. */
const elsewhere = /^body \$\.(?:url$|signatures\b|supportedInterfaces\b|additionalInterfaces\b)/;

export function judgeCard(card: Compared, direct: string, through: string): Judgements {
  const served = servedJudgement(card);
  if (served.is !== "preserved")
    return new Map(
      ["SERVED", "MEMBERS", "ADDRESSES", "SIGNATURE", "CACHING"].map((name) => [`GW-CARD-${name}`, served]),
    );
  const differences = card.differences.filter(({ name }) => name.startsWith("body ") && !elsewhere.test(name));
  const members = differences.filter((each) => !isMoved(each, direct));
  const [moved] = differences;
  return new Map([
    ["GW-CARD-SERVED", served],
    [
      "GW-CARD-MEMBERS",
      moved && members.length === 0
        ? changed(`the card has another address at ${pathOf(moved)}`)
        : bodyJudgement("the card", members),
    ],
    ["GW-CARD-ADDRESSES", addressJudgement(card, direct, through)],
    ["GW-CARD-SIGNATURE", signatureJudgement(card)],
    ["GW-CARD-CACHING", cachingJudgement(card)],
  ]);
}

/** Returns true for an address of the agent that became another one. A gateway may have a public name. */
function isMoved({ want, saw }: Difference, direct: string): boolean {
  const [before, after] = [want, saw].map((json) => (json === undefined ? undefined : jsonIn(json)));
  if (typeof before !== "string" || typeof after !== "string") return false;
  return restBelow(before, direct) !== undefined && /^https?:/.test(after) && URL.canParse(after);
}

/** "$.skills[0].id" */
const pathOf = ({ name }: Difference): string => name.replace(/^body /, "");

function servedJudgement({ through, obstacle }: Compared): PropertyVerdict {
  if (lastCard(through)) return preserved;
  if (obstacle !== undefined) return notExamined(obstacle);
  const { status } = through.at(-1)!.http.response!;
  if ([401, 403].includes(status)) return notExamined("the gateway asks for credentials: give them with --bearer");
  // Registries and direct configuration are fine, too (CARD-001).
  return notExamined(`${noCard} (HTTP ${status})`);
}

/** Judges the differences of one body. A member that the gateway adds is harmless. */
export function bodyJudgement(what: string, differences: readonly Difference[]): PropertyVerdict {
  const lost = differences.find(({ want }) => want !== undefined);
  if (lost) {
    const { before, after } = excerptsOf(lost);
    const path = pathOf(lost);
    return broken(`${what} changes at ${path}`, { saw: `${path}: ${after}`, want: `${path}: ${before}` });
  }
  const [added] = differences;
  return added ? changed(`${what} has another member: ${pathOf(added)}`) : preserved;
}

const excerptsOf = ({ want = "nothing", saw = "nothing" }: Difference): ReturnType<typeof excerpts> =>
  excerpts(want, saw);

const urlsOn = (card: JsonObject): string[] =>
  normaliseCard(card).interfaces.flatMap(({ url, binding }) =>
    testedBindings.some((known) => known === binding) ? [url] : [],
  );

function addressJudgement(
  { direct: ours, through: theirs }: Compared,
  direct: string,
  through: string,
): PropertyVerdict {
  const [want, saw] = [urlsOn(lastCard(ours)!), urlsOn(lastCard(theirs)!)];
  if (saw.length === 0) return broken("the card has no interface any more", { saw: "no address", want: listOf(want) });
  const past = saw.filter((url) => leadsPast(url, direct, through));
  const written = past.find((url) => !want.includes(url));
  if (written !== undefined)
    return broken("the card behind the gateway leads past the gateway", {
      saw: written,
      want: `addresses at ${new URL(through).host}`,
    });
  if (past.length > 0) return preserved;
  const other = saw.find((url) => restBelow(url, through) === undefined);
  // Another host may be a public name of the gateway.
  if (other !== undefined) return notExamined(`the card names an address that you did not: ${other}`);
  return saw.length < want.length ? changed("the card declares fewer interfaces") : preserved;
}

/** Warns of an agent that declares its own address: the gateway is not at fault, but clients bypass it. */
export function bypassWarning({ direct: ours, through: theirs }: Compared, direct: string, through: string) {
  const [own, card] = [lastCard(ours), lastCard(theirs)];
  const declared = own ? urlsOn(own) : [];
  const past = card && urlsOn(card).find((url) => leadsPast(url, direct, through) && declared.includes(url));
  if (past === undefined) return undefined;
  return {
    warning: `the card declares ${past}, so clients bypass the gateway`,
    remedy: `Declare addresses at ${new URL(through).host} on the agent's card, or let the gateway write them.`,
  };
}

function signatureJudgement({ direct, through, differences }: Compared): PropertyVerdict {
  const signatures = (exchange: Exchange): string => JSON.stringify(cardIn(exchange)?.["signatures"] ?? []);
  const ours = new Set(direct.map(signatures));
  if (ours.has("[]")) return notExamined("the agent does not sign its card");
  if (ours.size > 1) return notExamined("the agent signs its card again for every request");
  const [own] = ours;
  const theirs = through.map(signatures);
  if (theirs.every((each) => each === "[]")) return changed("the gateway removes the signatures of the card");
  const contents = new Set(direct.map(signedContent));
  const isSameCard = through.some((exchange) => contents.has(signedContent(exchange)));
  if (theirs.every((each) => each !== own))
    return isSameCard
      ? changed("the gateway replaces the signature")
      : notExamined("the agent or the gateway signs another card for this address");
  if (isSameCard) return preserved;
  const difference = differences.find(({ name }) => name.startsWith("body "));
  const [before, after] = [listOf(urlsOn(lastCard(direct)!)), listOf(urlsOn(lastCard(through)!))];
  // A card with random content is never the same.
  if (!difference && before === after) return preserved;
  return broken("the card has the agent's signature, but not the content that the agent signed", {
    saw: difference ? `${pathOf(difference)}: ${excerptsOf(difference).after}` : after,
    want: difference ? excerptsOf(difference).before : before,
  });
}

/** Returns the card without its signatures. Addresses count: the signature covers them. */
function signedContent(exchange: Exchange): string {
  const { signatures: _, ...card } = cardIn(exchange) ?? {};
  return JSON.stringify(card);
}

function cachingJudgement({ direct, through, differences }: Compared): PropertyVerdict {
  const names = ["cache-control", "etag"];
  if (direct.every((exchange) => names.every((name) => answeredHeader(exchange, name) === undefined)))
    return notExamined("the agent sends no caching headers with its card");
  // An agent that takes addresses from the request has another card, and so another ETag, behind the gateway.
  const cards = new Set(direct.map(answerText));
  const isSameCard = through.some((exchange) => cards.has(answerText(exchange)));
  const lost = names.filter((name) =>
    differences.some(
      (each) =>
        each.name === `header ${name}` &&
        each.want !== undefined &&
        (name !== "etag" || each.saw === undefined || isSameCard),
    ),
  );
  return lost.length === 0 ? preserved : changed(`the gateway drops or changes ${lost.join(" and ")} of the card`);
}
