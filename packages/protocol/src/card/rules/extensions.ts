import { isObject } from "../../json.ts";
import { quote } from "../finding.ts";
import { objectsIn } from "../members.ts";
import { isUri } from "../url.ts";
import type { CardRule } from "./rule.ts";

/** `/v1`, `1.0` or a date: something that can change when the extension does. */
const versionMarker = /(?:^|[/:_.-])v?\d{1,8}(?:\.\d{1,8}){0,3}(?:$|[/#?_.-])/i;

export const extensions: CardRule = function* ({ served }) {
  const capabilities = served["capabilities"];
  const list = isObject(capabilities) ? capabilities["extensions"] : undefined;
  for (const [{ uri }, path] of objectsIn(list, "$.capabilities.extensions")) {
    if (typeof uri !== "string" || !isUri(uri)) {
      yield {
        level: "error",
        code: "extension-no-uri",
        path: `${path}.uri`,
        message: `is ${quote(uri)}; an extension is known by its URI`,
        fix: "Give the URI under which the extension is specified.",
        rule: "EXT-001",
      };
    } else if (!versionMarker.test(uri)) {
      yield {
        level: "warning",
        code: "extension-unversioned",
        path: `${path}.uri`,
        message: `is ${quote(uri)}, in which we see no version; a breaking change will need a new URI`,
        fix: "Put the version into the URI, as in …/ext/geo/v1.",
        rule: "EXT-002",
      };
    }
  }
};
