import { asList, asObject, asText } from "../../answers/reading.ts";
import { cardCheck } from "../../define/check.ts";
import { broken, holds, notApplicable } from "../../define/finding.ts";

export const noPatchNumber = cardCheck({
  id: "VER-009",
  title: "the card names versions by major and minor alone",
  remedy: 'Write protocolVersion as Major.Minor: "1.0".',
  judge({ json }) {
    const versions = asList(json["supportedInterfaces"]).flatMap(
      (each) => asText(asObject(each)?.["protocolVersion"]) ?? [],
    );
    if (versions.length === 0) return notApplicable("the card names no version");
    const patched = versions.find((version) => /^\d+\.\d+\.\d/.test(version));
    return patched === undefined
      ? holds()
      : broken("protocolVersion has a patch number", { saw: patched, want: "Major.Minor" });
  },
});
