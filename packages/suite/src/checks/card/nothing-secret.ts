import type { JsonObject, JsonValue } from "@assay/protocol";
import { isLoopback } from "@assay/protocol/core";
import { addressKind, isSameHost } from "@assay/wire";
import { cardCheck } from "../../define/check.ts";
import { breach, type Finding, holds } from "../../define/finding.ts";
import { linted } from "./lint.ts";
import type { CardAge } from "./older-lint.ts";

const want = "no credentials and no internal addresses on the card";

/** Finds text that looks like a credential. The report names the place and never repeats the text. */
export const secretsIn = (json: JsonObject, facts?: CardAge): Finding[] =>
  linted({ json, ...(facts && { facts }) }, "CARD-039", want, { secret: true });

export const nothingSecret = cardCheck("CARD-039", {
  judge(card) {
    const internal = card.production ? card.facts.declared.filter(({ url }) => isInternalAddress(url)) : [];
    return [
      ...secretsIn(card.json, card.facts),
      ...internal
        .slice(0, 1)
        .map(({ path }) =>
          breach(
            "internal-address",
            `${path.replace(/^\$\./, "")} of a production deployment has an internal address`,
            { want },
          ),
        ),
      holds(),
    ];
  },
});

const names = /^(localhost|.*\.(localhost|local|internal|lan|intranet|home\.arpa))$/i;
const kinds = new Set<string | undefined>(["loopback", "private", "linkLocal", "metadata"]);

/** Turns an address into a URL; that of a gRPC interface may have no scheme. */
const asUrl = (address: string): string => (/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`);

/**
 * Recognises addresses that work only inside a network: private, loopback, link-local, or a name such as `db.internal`.
 */
export function isInternalAddress(address: string): boolean {
  const text = asUrl(address);
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return names.test(hostname) || kinds.has(addressKind(hostname));
}

/** Finds internal URLs in any text of a card; `own` are the addresses that callers use anyway. */
export const internalUrlsIn = (card: JsonObject, own: readonly string[]): readonly string[] =>
  textsIn(card, "").flatMap(({ path, text }) => {
    const urls = text.match(/[a-z][a-z\d+.-]*:\/\/[^\s"'<>()]+/gi) ?? [];
    const isTold = (url: string): boolean =>
      isInternalAddress(url) && !own.some((known) => leadsTo(url, known)) && !isExampleOnLoopback(url, text);
    return urls.some(isTold) ? [path] : [];
  });

/** A loopback address inside a sentence is an example that points to the reader's own machine. */
const isExampleOnLoopback = (url: string, text: string): boolean =>
  text.trim() !== url && URL.canParse(url) && isLoopback(new URL(url).hostname);

const leadsTo = (url: string, known: string): boolean =>
  URL.canParse(asUrl(known)) && isSameHost(url, asUrl(known), { port: true });

function textsIn(value: JsonValue | undefined, path: string): { readonly path: string; readonly text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((each, index) => textsIn(each, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, path === "" ? name : `${path}.${name}`));
}
