import { probe } from "../../check.ts";
import { broken, holds, notApplicable } from "../../finding.ts";
import { contact } from "../../observations/contact.ts";
import { asObject, brief, describeReply, isLogin } from "../../reading.ts";

export const loginIsDeclared = probe({
  id: "CARD-045",
  title: "an agent that asks for a login says so on its card",
  remedy:
    "Declare in `securitySchemes` how clients authenticate, and in `securityRequirements` (before 1.0 `security`) that they have to.",
  uses: { contact },
  // Whether strangers are turned away shows without credentials.
  requires: [],
  async probe(_seen, lab) {
    const talk = await lab.as("anonymous")!.call("GetTask", { id: lab.unknownId() });
    if (!isLogin(talk)) return notApplicable("the agent answers without a login");
    const schemes = Object.keys(asObject(lab.facts.card["securitySchemes"]) ?? {});
    if (schemes.length > 0) return holds();
    return broken("strangers are turned away, and the card declares no security scheme", {
      saw: `${describeReply(talk)}; securitySchemes: ${brief(lab.facts.card["securitySchemes"])}`,
      want: "at least one scheme in securitySchemes",
      at: talk,
    });
  },
});
