import { isUnknown } from "../../../answers/served.ts";
import { activeCheck } from "../../../define/check.ts";
import { breach, holds } from "../../../define/finding.ts";
import { everyOperation } from "../../../observations/every-operation.ts";
import { isOptional } from "../operations-known.ts";
import { noOthers, othersOf } from "./other-bindings.ts";

export const sameOperations = activeCheck({
  id: "BIND-001",
  title: "every binding offers the same operations",
  remedy: "Serve every operation over every binding that the card declares.",
  uses: { everyOperation },
  once: true,
  async judge({ everyOperation: here }, target) {
    const others = othersOf(target);
    if (others.length === 0) return noOthers;
    const all = [{ target, asked: here }];
    for (const other of others) all.push({ target: other, asked: await other.observe(everyOperation) });
    for (const { operation } of here) {
      const calls = all.flatMap(({ target: each, asked }) => {
        const call = asked.find((one) => one.operation === operation)?.call;
        return call ? [{ binding: each.on.binding, call, asked }] : [];
      });
      // What could not be sent over one of them cannot be compared.
      if (isOptional(operation, target) || calls.length < all.length) continue;
      const without = calls.filter(({ call, asked }) => isUnknown({ operation, call }, asked));
      if (without.length === 0 || without.length === calls.length) continue;
      return breach("operation-not-served", `${operation} is not offered by every binding`, {
        saw: `unknown over ${without.map(({ binding }) => binding).join(" and ")}`,
        want: "the same operations over every binding",
        at: without.map(({ call }) => call),
      });
    }
    const unsent = all.map(({ asked }) => asked.unsent).find((each) => each !== undefined);
    if (unsent) throw unsent;
    return holds();
  },
});
