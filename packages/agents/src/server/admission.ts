import { A2AError, readExtensions, requestedVersion } from "@assay/protocol/core";
import { accountOf } from "@assay/wire/server";
import type { Access, Caller, Identity } from "../definition/access.ts";
import type { Admission, RequestHead } from "../definition/admission.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import { dialectOf, nativeDialect, nativeVersion } from "./dialects.ts";
import type { CallerQuotas } from "./quotas.ts";

/** Creates the admission for this way of identifying callers. */
export const admissionWith = (identity: Identity): Admission => ({
  authenticate: (head, { access }) => (access ? authenticate(head, access, identity) : undefined),

  authorize(caller, operation) {
    if (!caller?.mayNot?.includes(operation)) return;
    throw new A2AError("PermissionDenied", `${caller.name} has no permission for ${operation}`);
  },

  dialect(head, agent, method) {
    const native = nativeDialect(agent);
    // Before 1.0 the wire has no version, and the additions of a 1.0 client are ignored.
    if (native.version !== "1.0") return native;
    const asked = askedOf(head, agent);
    const chosen = agent.dialects?.includes(asked as never) || asked === "1.0" ? dialectOf(asked as never) : undefined;
    // A 1.0 method without a version is a request for 0.3, which has no such method (§3.6.2).
    const speaks = chosen && (chosen.version === "1.0" || !native.operationOf(method));
    if (speaks) return chosen;
    if (agent.habits?.missingVersion && head.headers["a2a-version"] === undefined) return native;
    throw chosen ? notInThatVersion(head, agent, method, chosen.version) : versionNotSupported(head, agent);
  },

  version(head, agent) {
    if (askedOf(head, agent) === "1.0") return;
    if (agent.habits?.missingVersion && head.headers["a2a-version"] === undefined) return;
    throw versionNotSupported(head, agent);
  },

  /**
   * Returns the extensions that the agent declares and the client requests. A required one must be among
   * them.
   */
  extensions({ headers }, { extensions = [] }) {
    if (!extensions.length) return extensions;
    const asked = readExtensions((headers["a2a-extensions"] ?? headers["x-a2a-extensions"]) as string | undefined);
    const missing = extensions.find(({ uri, required }) => required && !asked.includes(uri));
    if (!missing) return extensions.filter(({ uri }) => asked.includes(uri));
    const message = `This agent requires the extension ${missing.uri}. Declare it in A2A-Extensions`;
    throw new A2AError("ExtensionSupportRequired", message, { facts: { extension: missing.uri } });
  },

  /** An empty tenant means none. An undeclared tenant is rejected. */
  tenant(tenant, { tenants = [] }) {
    if (!tenant) return "";
    if (tenants.includes(tenant)) return tenant;
    const known = tenants.length ? `; its tenants are ${tenants.join(", ")}` : ": it has none";
    throw new A2AError("InvalidParams", `This agent has no tenant ${JSON.stringify(tenant.slice(0, 80))}${known}`, {
      violations: [{ path: "$.tenant", message: "is not a tenant of this agent" }],
    });
  },
});

/**
 * Counts requests per caller once it is known, otherwise per address, so that the request limit also
 * applies to guessing credentials. Over gRPC one request passes twice.
 */
export function limitedAdmission(admission: Admission, quotas: CallerQuotas): Admission {
  const counted = new WeakSet<RequestHead>();
  const count = (head: RequestHead, caller: Caller | undefined): void => {
    if (!counted.has(head)) quotas.admit(callerAccount(caller, head.remoteAddress));
    counted.add(head);
  };
  return {
    ...admission,
    async authenticate(head, agent) {
      let caller: Caller | undefined;
      try {
        caller = await admission.authenticate(head, agent);
      } catch (error) {
        count(head, undefined);
        throw error;
      }
      count(head, caller);
      return caller;
    },
  };
}

/** Returns the account of a request. A named caller has one account at all addresses. */
export const callerAccount = (caller: Caller | undefined, remoteAddress: string): string =>
  caller ? `caller ${caller.name}` : accountOf(remoteAddress);

async function authenticate(head: RequestHead, access: Access, identity: Identity): Promise<Caller> {
  const { headers, certificate } = head;
  const caller = await access.identify(headers, identity, certificate);
  if (caller === "forbidden")
    throw new A2AError("PermissionDenied", "These credentials do not give enough permission for this agent");
  if (caller) return caller;
  const given = headers.authorization ?? headers["x-api-key"];
  throw new A2AError("Unauthenticated", given ? "These credentials are invalid" : "This agent requires credentials");
}

/** Returns the requested version: the header or, without one, the query parameter of that name (§3.6.1). */
export const versionOf = (head: RequestHead): string | undefined => requestedVersion(writtenVersion(head));

/** Returns the version whose form a request has: a later version 1.x has that of 1.0. */
const askedOf = (head: RequestHead, { later }: AgentDefinition): string | undefined => {
  const asked = versionOf(head);
  return asked !== undefined && later?.includes(asked) ? "1.0" : asked;
};

/** Returns the version as written in the request. */
function writtenVersion({ headers, query }: RequestHead): string | undefined {
  const header = headers["a2a-version"];
  if (header !== undefined) return String(header);
  return /(?:^|&)A2A-Version=([^&]*)/i.exec(query ?? "")?.[1]?.replaceAll(/%2e/gi, ".");
}

/** Rejects a method that the requested version does not have, although the agent supports that version. */
function notInThatVersion(head: RequestHead, agent: AgentDefinition, method: string, version: string): A2AError {
  const asked =
    (writtenVersion(head) ?? "").trim() === "" ? `${version}, which a request without A2A-Version means,` : version;
  const native = nativeVersion(agent);
  const message = `A2A ${asked} has no method ${method.slice(0, 80)}, but A2A ${native} has. Send the header A2A-Version: ${native}`;
  return new A2AError("VersionNotSupported", message, { facts: { supportedVersions: agent.dialects!.join(", ") } });
}

function versionNotSupported(
  head: RequestHead,
  { dialects: spoken10 = ["1.0"], later = [] }: AgentDefinition,
): A2AError {
  const dialects = [...later, ...spoken10];
  const spoken = dialects.join(" and ");
  const written = (writtenVersion(head) ?? "").trim();
  const message =
    written === ""
      ? `The request has no A2A-Version header, which means 0.3. This interface supports ${dialects[0]}. Send the header A2A-Version: ${dialects[0]}`
      : versionOf(head) === undefined
        ? `${JSON.stringify(written.slice(0, 40))} is not a version of A2A (write it like 1.0). This interface supports ${spoken}`
        : `This interface does not support A2A ${versionOf(head)}. It supports ${spoken}`;
  return new A2AError("VersionNotSupported", message, { facts: { supportedVersions: dialects.join(", ") } });
}
