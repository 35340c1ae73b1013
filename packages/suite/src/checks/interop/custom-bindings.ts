import { cardCheck } from "../../check.ts";
import { holds } from "../../finding.ts";
import { linted } from "../card/lint.ts";

export const customBindings = cardCheck({
  id: "BIND-009",
  title: "a binding of one's own is named by a URI",
  remedy: "Write the URI of the custom binding as protocolBinding, and its full address as url.",
  judge(card) {
    const findings = linted(card, "BIND-009", "an absolute URI as protocolBinding, and an absolute url");
    return findings.length ? findings : holds();
  },
});
