import { quote } from "../finding.ts";
import { isHttpUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/** Links for people. Embedding an icon as a data: URL works wherever a URL does. */
export const links: CardRule = function* ({ served }) {
  for (const member of ["documentationUrl", "iconUrl"]) {
    const value = served[member];
    if (typeof value !== "string" || value === "" || isHttpUrl(value) || value.startsWith("data:")) continue;
    yield {
      level: "warning",
      code: "no-absolute-url",
      path: `$.${member}`,
      message: `is ${quote(value)}, not an absolute URL`,
      fix: "Write the whole URL, or leave the member out.",
      rule: "CARD-041",
    };
  }
};
