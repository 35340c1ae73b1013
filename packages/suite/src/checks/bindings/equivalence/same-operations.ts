import { activeCheck } from "../../../check.ts";
import { broken, holds } from "../../../finding.ts";
import { everyOperation } from "../../../observations/every-operation.ts";
import { isOptional, isUnknown } from "../operations-known.ts";
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
      const calls = all.map(({ target: each, asked }) => ({
        binding: each.on.binding,
        call: asked.find((one) => one.operation === operation)!.call,
      }));
      if (isOptional(operation, target)) continue;
      const without = calls.filter(({ call }) => isUnknown({ operation, call }));
      if (without.length === 0 || without.length === calls.length) continue;
      return broken(`${operation} is not offered by every binding`, {
        saw: `unknown over ${without.map(({ binding }) => binding).join(" and ")}`,
        want: "the same operations over every binding",
        at: without.map(({ call }) => call),
      });
    }
    return holds();
  },
});
