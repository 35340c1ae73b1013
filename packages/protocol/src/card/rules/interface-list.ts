import { normalise } from "../../schemas/validate.ts";
import { declaredInterfaces, dialectOf } from "../evidence.ts";
import { finding, quote } from "../finding.ts";
import { objectsIn } from "../members.ts";
import type { CardRule } from "./rule.ts";

/** Declared versions must be Major.Minor. Older cards correctly write Major.Minor.Patch. */
export const protocolVersions: CardRule = function* ({ served }) {
  for (const [entry, path] of objectsIn(declaredInterfaces(served), "$.supportedInterfaces")) {
    const version = entry["protocolVersion"];
    if (typeof version !== "string" || version === "") continue;
    if (!/^\d+\.\d+/.test(version)) {
      yield finding("error", "version-no-major-minor", `${path}.protocolVersion`, {
        message: `is ${quote(version)}; a protocol version is written Major.Minor`,
        fix: 'Write "1.0".',
        rule: "CARD-013",
      });
    } else if (!/^\d+\.\d+$/.test(version)) {
      yield finding("warning", "version-with-patch", `${path}.protocolVersion`, {
        message: `is ${quote(version)}; a protocol version has no patch number, and some clients compare the whole string`,
        fix: `Write "${/^\d+\.\d+/.exec(version)?.[0]}".`,
        rule: "VER-009",
      });
    } else if (!dialectOf(version)) {
      yield finding("info", "version-unheard-of", `${path}.protocolVersion`, {
        message: `is ${quote(version)}, an unknown version; Assay did not check this interface`,
        fix: "Ignore this if the version exists.",
      });
    }
  }
};

/** Finds identical entries. One URL with several bindings, versions or tenants is fine. */
export const duplicateInterfaces: CardRule = function* ({ served }) {
  const first = new Map<string, string>();
  for (const [entry, path] of objectsIn(declaredInterfaces(served), "$.supportedInterfaces")) {
    const { url, protocolBinding, protocolVersion, tenant } = normalise("AgentInterface", entry) as typeof entry;
    const key = JSON.stringify([url, protocolBinding, protocolVersion, tenant || undefined]);
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, path);
    else {
      yield finding("warning", "repeated-interface", path, {
        message: `repeats ${earlier}: same url, binding, version and tenant`,
        fix: "List each combination once, in order of preference.",
        rule: "CARD-018",
      });
    }
  }
};

/** Finds a main `url` that is listed again, only with another transport. Clients cannot know which one is right. */
export const conflictingTransports: CardRule = function* ({ served }) {
  const { url, preferredTransport } = served;
  const repeated = objectsIn(served["additionalInterfaces"], "$.additionalInterfaces").filter(
    ([entry]) => entry["url"] === url,
  );
  const main = typeof preferredTransport === "string" ? preferredTransport : "JSONRPC";
  const [other] = repeated;
  if (!other || repeated.some(([entry]) => entry["transport"] === main)) return;
  yield finding("warning", "conflicting-transport", other[1], {
    message: `lists the main url with transport ${quote(other[0]["transport"])}, but preferredTransport is ${quote(main)}`,
    fix: "Repeat the main pair in additionalInterfaces, or correct preferredTransport.",
  });
};
