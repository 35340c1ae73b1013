import { isObject } from "../../json.ts";
import { finding, quote } from "../finding.ts";
import { objectsIn } from "../members.ts";
import { isUri } from "../url.ts";
import type { CardRule } from "./rule.ts";

/** Finds a version in a URI (`/v1`, `1.0` or a date) that can change with the extension. */
const versionMarker = /(?:^|[/:_.-])v?\d{1,8}(?:\.\d{1,8}){0,3}(?:$|[/#?_.-])/i;

export const extensions: CardRule = function* ({ served }) {
  const capabilities = served["capabilities"];
  const list = isObject(capabilities) ? capabilities["extensions"] : undefined;
  for (const [{ uri }, path] of objectsIn(list, "$.capabilities.extensions")) {
    if (typeof uri !== "string" || !isUri(uri)) {
      yield finding("error", "extension-no-uri", `${path}.uri`, {
        message: `is ${quote(uri)}; an extension is identified by its URI`,
        fix: "Set `uri` to the URI of the extension's specification.",
        rule: "EXT-001",
      });
    } else if (!versionMarker.test(uri)) {
      yield finding("warning", "extension-unversioned", `${path}.uri`, {
        message: `is ${quote(uri)}, which contains no version; a breaking change will need a new URI`,
        fix: "Put the version into the URI, as in …/ext/geo/v1.",
        rule: "EXT-002",
      });
    }
  }
};
