import type { JsonObject } from "@assay/protocol";
import { KeyNotFound, type SignatureVerdict, suspectedPayloads, verifyCard } from "@assay/protocol/signature";
import type { Exchange } from "@assay/wire";
import { asObject, asText } from "../answers/loose-json.ts";
import { jsonBodyOf } from "../answers/reading.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";

/** The key set of a signature, or why it is missing. */
type KeySet =
  | { readonly is: "found"; readonly keys: readonly JsonObject[]; readonly exchange: Exchange }
  | { readonly is: "refused"; readonly because: string; readonly enable: string }
  | { readonly is: "missing"; readonly because: string; readonly exchange?: Exchange };

export interface Signatures {
  /** one per signature of the card, in order */
  readonly verdicts: readonly SignatureVerdict[];
  /** by the address in the signatures */
  readonly keySets: ReadonlyMap<string, KeySet>;
}

/** The signatures of the card, verified with the keys they point to. */
export const signatures = observation<Signatures>("the signatures of the card", {
  aside: true,
  async make(target) {
    const { card } = target.facts;
    const keySets = new Map<string, KeySet>();
    const verdicts = await verifyCard(
      card,
      async ({ kid, jku }) => {
        if (jku === undefined) throw new KeyNotFound("no-jku", "there is no jku");
        const set = keySets.get(jku) ?? (await fetchKeys(target, jku));
        keySets.set(jku, set);
        if (set.is === "refused") throw new KeyNotFound("refused-by-guard", set.because);
        if (set.is === "missing") throw new KeyNotFound("key-unreachable", set.because);
        const [key, another] = set.keys.filter(({ kid: name }) => name === kid);
        if (!key) throw new KeyNotFound("unknown-key", "the key set at jku does not contain it");
        if (another) throw new KeyNotFound("ambiguous-key", "the key set at jku contains two keys of that id");
        return key as { kty: string };
      },
      suspectedPayloads(card),
    );
    if (verdicts.length === 0) throw doesNotApply("the card is not signed");
    return { verdicts, keySets };
  },
});

async function fetchKeys(target: Target, jku: string): Promise<KeySet> {
  if (!URL.canParse(jku) || !/^https?:$/.test(new URL(jku).protocol)) {
    return { is: "missing", because: "jku is not an http(s) URL" };
  }
  const exchange = await target.fetch({ method: "GET", url: jku, headers: [["Accept", "application/json"]] });
  const { failure, http } = exchange;
  if (failure?.code === "refused-by-guard") {
    return { is: "refused", because: failure.message, enable: `--allow-host ${new URL(jku).hostname}` };
  }
  if (failure) return { is: "missing", because: failure.message, exchange };
  if (http.response?.status !== 200) return { is: "missing", because: `HTTP ${http.response?.status}`, exchange };
  const set = asObject(jsonBodyOf(exchange))?.["keys"];
  if (!Array.isArray(set)) return { is: "missing", because: "it is not a JWKS", exchange };
  const keys = set.flatMap((key) => {
    const object = asObject(key);
    return object && asText(object["kty"]) !== undefined ? [object] : [];
  });
  return { is: "found", keys, exchange };
}
