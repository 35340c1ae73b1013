import { isObject, type JsonObject } from "@assay/protocol";
import type { ClassFinding } from "./card-trouble.ts";
import type { ReasonCode } from "./reasons.ts";

/** How a server ends a connection on which it misses a certificate: in the handshake, or right behind it. */
const ends: ReadonlySet<ReasonCode> = new Set<ReasonCode>(["tls", "connection-dropped"]);

/** An agent whose card asks for a client certificate, and that hangs up on callers without one, asks for a login. */
export const withCertificate = (finding: ClassFinding, card: JsonObject): ClassFinding =>
  ends.has(finding.code) && asksForCertificate(card) ? { ...finding, code: "endpoint-certificate" } : finding;

function asksForCertificate(card: JsonObject): boolean {
  const schemes = card["securitySchemes"];
  return (
    isObject(schemes) &&
    Object.values(schemes).some(
      (scheme) => isObject(scheme) && (isObject(scheme["mtlsSecurityScheme"]) || scheme["type"] === "mutualTLS"),
    )
  );
}
