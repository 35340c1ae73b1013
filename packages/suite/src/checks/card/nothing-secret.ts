import type { JsonObject } from "@assay/protocol";
import { addressKind } from "@assay/wire";
import { cardCheck } from "../../check.ts";
import { breach, type Finding, holds } from "../../finding.ts";
import { linted } from "./lint.ts";
import type { CardAge } from "./older-lint.ts";

const want = "no credentials and no internal addresses on the card";

/** Text that looks like a credential, on any card. The report names the place and never repeats what stands there. */
export const secretsIn = (json: JsonObject, facts?: CardAge): Finding[] =>
  linted({ json, ...(facts && { facts }) }, "CARD-039", want, { secret: true });

export const nothingSecret = cardCheck({
  id: "CARD-039",
  title: "the public card holds no credentials and no internal addresses",
  remedy: "Take the credential out of the card and revoke it; give details for known callers in the extended card.",
  judge(card) {
    const internal = card.production ? card.facts.declared.filter(({ url }) => isInternal(url)) : [];
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

function isInternal(url: string): boolean {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return names.test(hostname) || kinds.has(addressKind(hostname));
}
