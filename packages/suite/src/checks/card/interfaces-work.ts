import { activeCheck } from "../../define/check.ts";
import { holds } from "../../define/finding.ts";
import { firstContact } from "../../observations/first-contact.ts";

/** Where no call gets through, the observation says so and names this rule. */
export const interfacesWork = activeCheck({
  id: "CARD-016",
  title: "the binding that the card names is spoken at the address it gives",
  remedy:
    "Make the url and the binding of every interface on the card those of an endpoint that answers, or take it out.",
  uses: { firstContact },
  judge: () => holds(),
});
