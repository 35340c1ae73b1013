import { requestedVersion, versionHeader } from "@assay/protocol";
import { brief } from "../../../answers/reading.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import type { ClientCall } from "../../../client/client-request.ts";
import { queryVersion } from "../../../client/read-request.ts";
import { callName, fieldsNamed } from "../../../client/request-fields.ts";
import { breach, broken, type Finding, holds } from "../../../define/finding.ts";

/** What a call says about its version, wherever it may say so. */
export function versionsNamed(call: ClientCall): readonly string[] {
  const inQuery = call.on.binding === "GRPC" ? undefined : queryVersion(call.exchange.http.request.url);
  return [...fieldsNamed(call, versionHeader), ...(inQuery === undefined ? [] : [inQuery])].filter(
    (each) => each !== "",
  );
}

/** A call without a version: the same thing whichever rule speaks of it, so in the same words. */
export const versionMissing = (call: ClientCall): Finding =>
  broken(`${callName(call)} names no ${versionHeader}`, {
    saw: "a request without it, which means 0.3",
    want: `${versionHeader}: ${call.on.dialect}`,
    at: call.exchange,
  });

const namesVersion = passiveClientCheck({
  id: "VER-001",
  title: "every request names the version of its interface",
  remedy:
    "Send the header A2A-Version (gRPC: the metadata a2a-version) with the version of the interface on every request.",
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    const named = versionsNamed(call);
    if (!named.length) return versionMissing(call);
    // Whether it is written well is for VER-002, and whether header and parameter agree for VER-003.
    const others = named.filter((each) => (requestedVersion(each) ?? call.on.dialect) !== call.on.dialect);
    return others.length === named.length
      ? broken(`${callName(call)} names another version than its interface has`, {
          saw: brief(named.join(", ")),
          want: call.on.dialect,
          at: call.exchange,
        })
      : holds();
  },
});

const wellWritten = passiveClientCheck({
  id: "VER-002",
  title: "a version is written as Major.Minor",
  remedy:
    'Write the version of the protocol as two numbers, such as "1.0": not that of the library, and no patch number.',
  judge(call) {
    const named = versionsNamed(call);
    const wrong = named.find((each) => !/^\d+\.\d+$/.test(each));
    if (wrong === undefined) return named.length ? holds() : undefined;
    const details = { saw: brief(wrong, 40), want: "Major.Minor, such as 1.0", at: call.exchange };
    return /^\d+\.\d+\.\d+$/.test(wrong)
      ? breach("patch-number", `${versionHeader} has a patch number`, details)
      : broken(`${versionHeader} is no version of the protocol`, details);
  },
});

const oneVersion = passiveClientCheck({
  id: "VER-003",
  title: "header and parameter name the same version",
  remedy: "Name the version in one place, the header or the query parameter, or the same one in both.",
  bindings: ["JSONRPC", "HTTP+JSON"],
  judge(call) {
    const named = versionsNamed(call);
    if (!named.length) return undefined;
    return new Set(named).size === 1
      ? holds()
      : broken("one request names several versions", { saw: brief(named.join(", ")), want: "one", at: call.exchange });
  },
});

export const clientVersionChecks = [namesVersion, wellWritten, oneVersion];
