import { asObject, brief } from "../../answers/reading.ts";
import { cardCheck } from "../../define/check.ts";
import { breach, holds, notApplicable } from "../../define/finding.ts";

/** What a flag would be called if it had the name that its author gave it: `supportsStreaming` means `streaming`. */
const flags = ["streaming", "pushNotifications", "stateTransitionHistory", "extensions"];
const bare = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .replace(/^(supports|has|is|enable|enables)/, "")
    .replace(/s$/, "");

export const flagsAreSpelledRight = cardCheck({
  id: "V03-CARD-015",
  title: "capabilities have the names that clients look for",
  remedy: "Name the flags `streaming`, `pushNotifications` and `stateTransitionHistory`.",
  judge({ json }) {
    const capabilities = asObject(json["capabilities"]);
    if (!capabilities) return notApplicable("the card has no capabilities");
    const strange = Object.keys(capabilities).find(
      (name) => !flags.includes(name) && flags.some((flag) => bare(flag) === bare(name)),
    );
    if (strange === undefined) return holds();
    const meant = flags.find((flag) => bare(flag) === bare(strange))!;
    // Who writes both of them for readers of either kind is understood.
    if (capabilities[meant] !== undefined) return holds(`capabilities has ${strange} besides ${meant}`);
    return breach("misspelt-flag", `capabilities has ${strange}, which no version of the protocol knows`, {
      saw: `${strange}: ${brief(capabilities[strange])}`,
      want: meant,
    });
  },
});
