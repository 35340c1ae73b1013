import { asObject, brief, jsonBodyOf } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds } from "../../define/finding.ts";
import { cardAgain } from "../../observations/card-again.ts";
import { linted, olderVersion } from "./lint.ts";

const want = "each combination once, the preferred one first, in the same order every time";

/** What the agent really prefers cannot be seen; that it prefers something else each time can. */
export const interfacesKeepTheirOrder = activeCheck({
  id: "CARD-018",
  title: "the card lists its interfaces once each, and in the same order every time",
  remedy: "List each combination of url, binding and version once in `supportedInterfaces`, the preferred one first.",
  uses: { cardAgain },
  once: true,
  judge({ cardAgain: { plain, withOtherTag } }, { facts: { card } }): Finding {
    if (olderVersion(card) !== undefined) return holds();
    const orders = [card, jsonBodyOf(plain), jsonBodyOf(withOtherTag)].flatMap((json) => {
      const list = asObject(json)?.["supportedInterfaces"];
      return Array.isArray(list) ? [list.map((entry) => JSON.stringify(entry))] : [];
    });
    const [first = [], ...others] = orders;
    // With other members it is another card, which may have another order.
    const isSameSet = (order: readonly string[]): boolean => order.toSorted().join() === first.toSorted().join();
    const other = others.find((order) => isSameSet(order) && order.join() !== first.join());
    if (other) {
      return broken("the interfaces on the card come in another order each time", {
        saw: `first ${brief(first[0], 70)}, then ${brief(other[0], 70)}`,
        want,
        at: [plain, withOtherTag],
      });
    }
    return linted({ json: card }, "CARD-018", want)[0] ?? holds();
  },
});
