import { isObject, type JsonObject } from "@assay/protocol";
import type { ClassFinding } from "./card-trouble.ts";
import type { ReasonCode } from "./reasons.ts";

/** Failures of a connection without the required certificate: in the handshake, or right after it. */
const ends: ReadonlySet<ReasonCode> = new Set<ReasonCode>(["tls", "connection-dropped"]);

/**
 * Changes the reason to a missing login if the card requires a client certificate and the server closes connections
 * without one.
 */
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
