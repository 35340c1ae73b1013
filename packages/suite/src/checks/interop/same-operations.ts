import { probe } from "../../check.ts";
import { broken, holds } from "../../finding.ts";
import { everyOperation } from "../../observations/every-operation.ts";
import { isClaimed } from "../../observations/unknown-task.ts";
import { isUnknown } from "../wire/operations-known.ts";
import { noOthers, othersOf } from "./others.ts";

export const sameOperations = probe({
  id: "BIND-001",
  title: "every binding offers the same operations",
  remedy: "Serve every operation over every binding that the card declares.",
  uses: { everyOperation },
  once: true,
  async probe({ everyOperation: here }, lab) {
    const others = othersOf(lab);
    if (others.length === 0) return noOthers;
    const all = [{ lab, asked: here }];
    for (const other of others) all.push({ lab: other, asked: await other.observe(everyOperation) });
    for (const { operation } of here) {
      const talks = all.map(({ lab: each, asked }) => ({
        binding: each.on.binding,
        talk: asked.find((one) => one.operation === operation)!.talk,
      }));
      if (lab.on.dialect !== "1.0" && !isClaimed(operation, lab)) continue;
      const without = talks.filter(({ talk }) => isUnknown({ operation, talk }));
      if (without.length === 0 || without.length === talks.length) continue;
      return broken(`${operation} is not offered by every binding`, {
        saw: `unknown over ${without.map(({ binding }) => binding).join(" and ")}`,
        want: "the same operations over every binding",
        at: without.map(({ talk }) => talk),
      });
    }
    return holds();
  },
});
