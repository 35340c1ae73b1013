import {
  extensionsHeader,
  type JsonObject,
  olderExtensionsHeader,
  requestedVersion,
  versionHeader,
} from "@assay/protocol";
import { namedVersion } from "@assay/wire";
import { asObject, asText, brief } from "../../../answers/loose-json.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import type { ClientCall } from "../../../client/client-request.ts";
import { queryVersion } from "../../../client/read-request.ts";
import { callName, fieldsNamed } from "../../../client/request-fields.ts";
import { breach, broken, type Finding, holds } from "../../../define/finding.ts";

/** Returns the versions that a call names, at any place. */
export function versionsNamed(call: ClientCall): readonly string[] {
  const inQuery = call.on.binding === "GRPC" ? undefined : queryVersion(call.exchange.http.request.url);
  return [...fieldsNamed(call, versionHeader), ...(inQuery === undefined ? [] : [inQuery])].filter(
    (each) => each !== "",
  );
}

/** Reports a call without a version, in the same words for every rule. */
const versionMissing = (call: ClientCall): Finding =>
  broken(`${callName(call)} has no ${versionHeader}`, {
    saw: "no version, which means 0.3",
    want: `${versionHeader}: ${namedVersion(call.on)}`,
  });

export const namesVersion = passiveClientCheck("VER-001", {
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    const named = versionsNamed(call);
    if (!named.length) return versionMissing(call);
    // VER-002 judges the format, and VER-003 whether header and parameter agree. An address may offer 1.0 and a later
    // version in its form.
    const offered: readonly (string | undefined)[] = [undefined, call.on.dialect, call.on.later];
    if (named.some((each) => offered.includes(requestedVersion(each)))) return holds();
    return broken(`${callName(call)} names a different version than its interface`, {
      saw: brief(named.join(", ")),
      want: namedVersion(call.on),
    });
  },
});

export const wellWritten = passiveClientCheck("VER-002", {
  judge(call) {
    const named = versionsNamed(call);
    const wrong = named.find((each) => !/^\d+\.\d+$/.test(each));
    if (wrong === undefined) return named.length ? holds() : undefined;
    const details = { saw: brief(wrong, 40), want: "Major.Minor, such as 1.0" };
    return /^\d+\.\d+\.\d+$/.test(wrong)
      ? breach("patch-number", `${versionHeader} has a patch number`, details)
      : broken(`${versionHeader} is not a protocol version`, details);
  },
});

export const oneVersion = passiveClientCheck("VER-003", {
  bindings: ["JSONRPC", "HTTP+JSON"],
  judge(call) {
    const named = versionsNamed(call);
    if (!named.length) return undefined;
    if (new Set(named).size === 1) return holds();
    return broken("a request names several versions", { saw: brief(named.join(", ")), want: "one" });
  },
});

const names = [versionHeader, extensionsHeader].map((name) => name.toLowerCase());

/** Finds a service parameter inside the request, where it does not belong. */
function misplaced({ written = {}, body }: ClientCall): string | undefined {
  const places: readonly (readonly [string, JsonObject | undefined])[] = [
    ["the body", asObject(body)],
    ["the parameters", written],
    ["metadata", asObject(written["metadata"])],
    ["the metadata of the message", asObject(asObject(written["message"])?.["metadata"])],
  ];
  for (const [place, members] of places) {
    const found = Object.keys(members ?? {}).find((name) => names.includes(name.toLowerCase()));
    if (found !== undefined) return `${found} in ${place}`;
  }
  return undefined;
}

function inPlace(call: ClientCall): Finding {
  const elsewhere = misplaced(call);
  if (!(elsewhere !== undefined && !versionsNamed(call).length)) return holds();
  return broken(`${callName(call)} has its service parameters in the body`, {
    saw: elsewhere,
    want: `${versionHeader} as a header`,
  });
}

export const overJsonRpc = passiveClientCheck("JSONRPC-020", {
  bindings: ["JSONRPC"],
  judge: (call) =>
    call.on.dialect === "1.0" && (versionsNamed(call).length || misplaced(call)) ? inPlace(call) : undefined,
});

export const everyRest = passiveClientCheck("REST-017", {
  bindings: ["HTTP+JSON"],
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    const found = inPlace(call);
    return found.is === "holds" && !versionsNamed(call).length ? versionMissing(call) : found;
  },
});

export const asMetadata = passiveClientCheck("GRPC-007", {
  bindings: ["GRPC"],
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    return versionsNamed(call).length ? holds() : versionMissing(call);
  },
});

export const asksByHeader = passiveClientCheck("EXT-004", {
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    const now = fieldsNamed(call, extensionsHeader);
    const older = fieldsNamed(call, olderExtensionsHeader);
    if (older.length && !now.length)
      return broken(`the client requests extensions with the header name of 0.3`, {
        saw: `${olderExtensionsHeader}: ${brief(older.join(", "))}`,
        want: extensionsHeader,
      });
    const wrong = now
      .flatMap((value) => value.split(",").map((uri) => uri.trim()))
      .find((uri) => uri !== "" && !isUri(uri));
    if (wrong !== undefined)
      return broken("A2A-Extensions contains something that is not a URI", {
        saw: brief(wrong),
        want: "a comma-separated list of URIs",
      });
    return now.length ? holds() : undefined;
  },
});

/** Accepts any absolute URI. */
const isUri = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text);

export const inOneField = passiveClientCheck("EXT-017", {
  judge(call) {
    const lines = fieldsNamed(call, extensionsHeader);
    if (!lines.length) return undefined;
    if (lines.length === 1) return holds();
    return broken(`the request has ${lines.length} ${extensionsHeader} headers`, {
      saw: brief(lines.join(" / ")),
      want: "one comma-separated header",
    });
  },
});

export const requiredOnes = passiveClientCheck("EXT-016", {
  judge(call, { agent }) {
    const required = agent.extensions.filter((each) => each.required);
    if (!required.length) return undefined;
    // Requests to an older agent may use both names.
    const names = call.on.dialect === "1.0" ? [extensionsHeader] : [olderExtensionsHeader, extensionsHeader];
    const asked = names.flatMap((name) =>
      fieldsNamed(call, name).flatMap((value) => value.split(",").map((uri) => uri.trim())),
    );
    const missing = required.find(({ uri }) => !asked.includes(uri));
    if (!missing) return holds();
    return broken(`${callName(call)} lacks an extension that the agent requires`, {
      saw: asked.length ? `${names[0]}: ${brief(asked.join(", "))}` : `no ${names[0]}`,
      want: missing.uri,
    });
  },
});

export const sameTenant = passiveClientCheck("TEN-001", {
  judge({ on, operation, written, exchange, ...call }, { agent }) {
    if (on.dialect !== "1.0" || operation === undefined || written === undefined) return undefined;
    const here = agent.interfaces.filter(
      (each) => each.url === on.url && each.binding === on.binding && each.dialect === on.dialect,
    );
    // An interface without a tenant at the same address may be meant too.
    if (here.some(({ tenant }) => tenant === undefined)) return undefined;
    const named = asText(written["tenant"]) ?? "";
    const wanted = here.map(({ tenant }) => tenant!);
    if (wanted.includes(named)) return holds();
    return broken(
      `${callName({ operation, on, written, exchange, ...call })} ${named ? "names another tenant" : "names no tenant"}`,
      {
        saw: named ? brief(named) : "none",
        want: wanted.join(" or "),
        at: exchange,
      },
    );
  },
});

export const noTenant = passiveClientCheck("TEN-002", {
  judge(call, { agent }) {
    const { on, operation, written, exchange } = call;
    if (on.dialect !== "1.0" || operation === undefined || written === undefined) return undefined;
    const here = agent.interfaces.filter(
      (each) => each.url === on.url && each.binding === on.binding && each.dialect === on.dialect,
    );
    if (here.some(({ tenant }) => tenant !== undefined)) return undefined;
    const named = asText(written["tenant"]);
    if (named)
      return broken(`${callName(call)} names a tenant, but the interface has none`, {
        saw: brief(named),
        want: "none",
        at: exchange,
      });
    return holds(named === "" ? 'the client sends "tenant": "", which means none' : undefined);
  },
});
