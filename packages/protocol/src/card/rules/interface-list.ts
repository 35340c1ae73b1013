import { normalise } from "../../schemas/validate.ts";
import { declaredInterfaces, dialectOf } from "../evidence.ts";
import { quote } from "../finding.ts";
import { objectsIn } from "../members.ts";
import type { CardRule } from "./rule.ts";

/** The declared versions, which have to be Major.Minor. Older cards write Major.Minor.Patch, rightly. */
export const protocolVersions: CardRule = function* ({ served }) {
  for (const [entry, path] of objectsIn(declaredInterfaces(served), "$.supportedInterfaces")) {
    const version = entry["protocolVersion"];
    if (typeof version !== "string" || version === "") continue;
    if (!/^\d+\.\d+/.test(version)) {
      yield {
        level: "error",
        code: "version-no-major-minor",
        path: `${path}.protocolVersion`,
        message: `is ${quote(version)}; a protocol version is written Major.Minor`,
        fix: 'Write "1.0".',
        rule: "CARD-013",
      };
    } else if (!/^\d+\.\d+$/.test(version)) {
      yield {
        level: "warning",
        code: "version-with-patch",
        path: `${path}.protocolVersion`,
        message: `is ${quote(version)}; patch numbers do not belong there, and some clients compare the whole text`,
        fix: `Write "${/^\d+\.\d+/.exec(version)?.[0]}".`,
        rule: "VER-009",
      };
    } else if (!dialectOf(version)) {
      yield {
        level: "info",
        code: "version-unheard-of",
        path: `${path}.protocolVersion`,
        message: `is ${quote(version)}, a version we do not know; the interface was not judged`,
        fix: "Nothing to do if the version exists.",
      };
    }
  }
};

/** Entries that say the same twice. One URL with several bindings, versions or tenants is fine. */
export const duplicateInterfaces: CardRule = function* ({ served }) {
  const first = new Map<string, string>();
  for (const [entry, path] of objectsIn(declaredInterfaces(served), "$.supportedInterfaces")) {
    const { url, protocolBinding, protocolVersion, tenant } = normalise("AgentInterface", entry) as typeof entry;
    const key = JSON.stringify([url, protocolBinding, protocolVersion, tenant || undefined]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, path);
    else {
      yield {
        level: "warning",
        code: "repeated-interface",
        path,
        message: `repeats ${earlier}: same url, binding, version and tenant`,
        fix: "List each combination once, at the place of its preference.",
        rule: "CARD-018",
      };
    }
  }
};

/** The main `url` of an older card listed again with another transport only: a client cannot tell which is true. */
export const conflictingTransports: CardRule = function* ({ served }) {
  const { url, preferredTransport } = served;
  const repeated = objectsIn(served["additionalInterfaces"], "$.additionalInterfaces").filter(
    ([entry]) => entry["url"] === url,
  );
  const main = typeof preferredTransport === "string" ? preferredTransport : "JSONRPC";
  const [other] = repeated;
  if (!other || repeated.some(([entry]) => entry["transport"] === main)) return;
  yield {
    level: "warning",
    code: "conflicting-transport",
    path: other[1],
    message: `lists the main url with transport ${quote(other[0]["transport"])}, while the card prefers ${quote(main)} there`,
    fix: "Repeat the main pair in additionalInterfaces, or correct preferredTransport.",
  };
};
