import { cardCheck } from "../../../define/check.ts";
import { broken, holds, notExamined } from "../../../define/finding.ts";
import { linted } from "../../card/lint.ts";

export const customBindings = cardCheck({
  id: "BIND-009",
  title: "a binding of one's own is named by a URI",
  remedy: "Write the URI of the custom binding as protocolBinding, and its full address as url.",
  judge(card) {
    const findings = linted(card, "BIND-009", "an absolute URI as protocolBinding, and an absolute url");
    return findings.length ? findings : holds();
  },
});

const standard: readonly string[] = ["JSONRPC", "HTTP+JSON", "GRPC"];

export const claimsOnlyStreamsItHas = cardCheck({
  id: "BIND-015",
  title: "an agent whose bindings cannot stream does not claim streaming",
  remedy: "Set capabilities.streaming to false where no declared binding can stream.",
  judge({ facts: { declared, streaming }, expectations = {}, exchange }) {
    // One that can stream is enough, and the others have their own specification to say it.
    if (!streaming || declared.some(({ binding }) => standard.includes(binding))) return holds();
    const { silentBindings } = expectations;
    if (!silentBindings) {
      const because = "whether the agent's own bindings can stream is for their specification to say";
      return notExamined("prompt", because, "expectations.silentBindings in assay.yaml");
    }
    if (declared.some(({ binding }) => !silentBindings.includes(binding))) return holds();
    return broken("the card claims streaming although none of its bindings can stream", {
      saw: `capabilities.streaming: true with ${declared.map(({ binding }) => binding).join(", ")}`,
      want: "capabilities.streaming: false",
      at: exchange,
    });
  },
});
