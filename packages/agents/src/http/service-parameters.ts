import type { IncomingHttpHeaders } from "node:http";
import { A2AError, readExtensions, requestedVersion } from "@assay/protocol";
import type { AgentDefinition } from "../agent.ts";
import type { Extension } from "../define.ts";

/** What carries a request's service parameters, on whichever binding. */
export interface Caller {
  readonly headers: IncomingHttpHeaders;
  /** the query of an HTTP request; gRPC has none */
  readonly query?: string;
  readonly signal: AbortSignal;
}

/** The version a request asks for, by header or, where it has none, by the query parameter of that name (§3.6.1). */
function versionOf(request: Caller): string | undefined {
  const header = request.headers["a2a-version"];
  if (header !== undefined) return requestedVersion(String(header));
  const parameter = /(?:^|&)A2A-Version=([^&]*)/i.exec(request.query ?? "")?.[1];
  return requestedVersion(parameter?.replaceAll(/%2e/gi, "."));
}

export function checkVersion(request: Caller): void {
  const version = versionOf(request);
  if (version === "1.0") return;
  const asked = request.headers["a2a-version"] ?? "";
  const message =
    asked === "" && version === "0.3"
      ? "The request names no A2A-Version, which means 0.3; this interface speaks 1.0. Send the header A2A-Version: 1.0"
      : `This interface does not speak A2A ${String(version ?? asked).slice(0, 40)}; it speaks 1.0`;
  throw new A2AError("VersionNotSupported", message, { facts: { supportedVersions: "1.0" } });
}

/** The extensions that are declared by the agent and asked for by the client; a required one has to be among them. */
export function activeExtensions(request: Caller, { extensions = [] }: AgentDefinition): readonly Extension[] {
  if (!extensions.length) return extensions;
  const asked = readExtensions(request.headers["a2a-extensions"] as string | undefined);
  const missing = extensions.find(({ uri, required }) => required && !asked.includes(uri));
  if (missing) {
    throw new A2AError(
      "ExtensionSupportRequired",
      `This agent requires the extension ${missing.uri}: declare it in A2A-Extensions`,
      {
        facts: { extension: missing.uri },
      },
    );
  }
  return extensions.filter(({ uri }) => asked.includes(uri));
}

/** An empty tenant is none. A tenant that the card does not declare is not served as if it were. */
export function checkTenant(tenant: string | undefined, { tenants = [] }: AgentDefinition): string {
  if (!tenant) return "";
  if (tenants.includes(tenant)) return tenant;
  const known = tenants.length ? `; it knows ${tenants.join(", ")}` : ": it has none";
  throw new A2AError("InvalidParams", `This agent knows no tenant ${JSON.stringify(tenant.slice(0, 80))}${known}`, {
    violations: [{ path: "$.tenant", message: "names no tenant of this agent" }],
  });
}
