import { asObject, brief, describeReply, isLogin } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, holds, notApplicable } from "../../define/finding.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { namedLogins } from "../../observations/login.ts";

export const loginIsDeclared = activeCheck({
  id: "CARD-045",
  title: "an agent that asks for a login says so on its card",
  remedy:
    "Declare in `securitySchemes` how clients authenticate, and in `securityRequirements` (before 1.0 `security`) that they have to.",
  uses: { firstContact },
  // Whether unauthenticated calls are refused shows without credentials.
  requires: [],
  async judge(_seen, target) {
    const call = await target.as("anonymous")!.call("GetTask", { id: target.unknownId() });
    if (!isLogin(call)) return notApplicable("the agent answers without a login");
    const schemes = Object.keys(asObject(target.facts.card["securitySchemes"]) ?? {});
    if (schemes.length > 0) return holds();
    if (namedLogins(target.facts.card).length > 0) return holds("the card names its logins as 0.1 has it");
    return broken("unauthenticated calls are refused, and the card declares no security scheme", {
      saw: `${describeReply(call)}; securitySchemes: ${brief(target.facts.card["securitySchemes"])}`,
      want: "at least one scheme in securitySchemes",
      at: call,
    });
  },
});
