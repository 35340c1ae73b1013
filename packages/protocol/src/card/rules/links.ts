import { finding, quote } from "../finding.ts";
import { isHttpUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/** Checks links for people. An icon may also be a data: URL. */
export const links: CardRule = function* ({ served }) {
  for (const member of ["documentationUrl", "iconUrl"]) {
    const value = served[member];
    if (typeof value !== "string" || value === "" || isHttpUrl(value) || value.startsWith("data:")) continue;
    yield finding("warning", "no-absolute-url", `$.${member}`, {
      message: `is ${quote(value)}, not an absolute URL`,
      fix: "Write the whole URL, or remove the member.",
      rule: "CARD-041",
    });
  }
};
