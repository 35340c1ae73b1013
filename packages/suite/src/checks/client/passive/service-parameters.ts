import { extensionsHeader, type JsonObject, olderExtensionsHeader, versionHeader } from "@assay/protocol";
import { asObject, brief } from "../../../answers/reading.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import type { ClientCall } from "../../../client/client-request.ts";
import { callName, fieldsNamed } from "../../../client/request-fields.ts";
import { broken, type Finding, holds } from "../../../define/finding.ts";
import { versionMissing, versionsNamed } from "./versions.ts";

const names = [versionHeader, extensionsHeader].map((name) => name.toLowerCase());

/** A service parameter among the members of the request, where none belongs. */
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
  return elsewhere !== undefined && !versionsNamed(call).length
    ? broken(`${callName(call)} has its service parameters in the body`, {
        saw: elsewhere,
        want: `${versionHeader} as a header`,
        at: call.exchange,
      })
    : holds();
}

const overJsonRpc = passiveClientCheck({
  id: "JSONRPC-020",
  title: "service parameters are headers",
  remedy: "Send A2A-Version and A2A-Extensions as HTTP headers, not within the JSON-RPC params.",
  bindings: ["JSONRPC"],
  judge: (call) =>
    call.on.dialect === "1.0" && (versionsNamed(call).length || misplaced(call)) ? inPlace(call) : undefined,
});

const everyRest = passiveClientCheck({
  id: "REST-017",
  title: "service parameters are headers of every request",
  remedy: "Send A2A-Version and A2A-Extensions as HTTP headers on GET, POST and DELETE alike.",
  bindings: ["HTTP+JSON"],
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    const found = inPlace(call);
    return found.is === "holds" && !versionsNamed(call).length ? versionMissing(call) : found;
  },
});

const asMetadata = passiveClientCheck({
  id: "GRPC-007",
  title: "service parameters are metadata",
  remedy:
    "Send a2a-version, and a2a-extensions where extensions are wanted, as metadata of every call; several values in one entry.",
  bindings: ["GRPC"],
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    return versionsNamed(call).length ? holds() : versionMissing(call);
  },
});

const asksByHeader = passiveClientCheck({
  id: "EXT-004",
  title: "extensions are asked for in A2A-Extensions",
  remedy:
    "Name the extensions in the header A2A-Extensions (gRPC: the metadata a2a-extensions); X-A2A-Extensions is that of 0.3.",
  judge(call) {
    if (call.on.dialect !== "1.0") return undefined;
    const now = fieldsNamed(call, extensionsHeader);
    const older = fieldsNamed(call, olderExtensionsHeader);
    if (older.length && !now.length)
      return broken(`extensions are asked for under the name of 0.3`, {
        saw: `${olderExtensionsHeader}: ${brief(older.join(", "))}`,
        want: extensionsHeader,
        at: call.exchange,
      });
    const wrong = now
      .flatMap((value) => value.split(",").map((uri) => uri.trim()))
      .find((uri) => uri !== "" && !isUri(uri));
    if (wrong !== undefined)
      return broken("A2A-Extensions holds what is no URI", {
        saw: brief(wrong),
        want: "a list of URIs, with commas",
        at: call.exchange,
      });
    return now.length ? holds() : undefined;
  },
});

/** Absolute, with a scheme; what it names is the extension's affair. */
const isUri = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text);

const inOneField = passiveClientCheck({
  id: "EXT-017",
  title: "several extensions share one field",
  remedy: "Join the URIs with commas in one A2A-Extensions field: not every server reads a second one.",
  judge(call) {
    const lines = fieldsNamed(call, extensionsHeader);
    if (!lines.length) return undefined;
    return lines.length === 1
      ? holds()
      : broken(`${lines.length} fields of the name ${extensionsHeader}`, {
          saw: brief(lines.join(" / ")),
          want: "one, with commas",
          at: call.exchange,
        });
  },
});

const requiredOnes = passiveClientCheck({
  id: "EXT-016",
  title: "an agent with a required extension is called with it, or not at all",
  remedy:
    "Read `required` in the card's extensions: activate those that the client supports in A2A-Extensions, and do not call an agent that requires another.",
  judge(call, { agent }) {
    const required = agent.extensions.filter((each) => each.required);
    if (!required.length) return undefined;
    // An agent of an older version may be asked under both names.
    const names = call.on.dialect === "1.0" ? [extensionsHeader] : [olderExtensionsHeader, extensionsHeader];
    const asked = names.flatMap((name) =>
      fieldsNamed(call, name).flatMap((value) => value.split(",").map((uri) => uri.trim())),
    );
    const missing = required.find(({ uri }) => !asked.includes(uri));
    return missing
      ? broken(`${callName(call)} is sent without an extension that the agent requires`, {
          saw: asked.length ? `${names[0]}: ${brief(asked.join(", "))}` : `no ${names[0]}`,
          want: missing.uri,
          at: call.exchange,
        })
      : holds();
  },
});

export const clientParameterChecks = [overJsonRpc, everyRest, asMetadata, asksByHeader, inOneField, requiredOnes];
