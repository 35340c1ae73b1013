import { createHash } from "node:crypto";

/** Returns the list of materials in CycloneDX 1.6. The same package always gives the same list. */
export function materialsOf({ name, version, license }, parts) {
  const digest = createHash("sha256").update(JSON.stringify([version, parts.map((part) => [part.name, part.version])]));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(digest.digest("hex"))}`,
    version: 1,
    metadata: { component: componentOf({ name, version, license }, "application") },
    components: parts.map((part) => componentOf(part, "library")),
    dependencies: [
      { ref: refOf({ name, version }), dependsOn: parts.map(refOf) },
      ...parts.map((part) => ({ ref: refOf(part) })),
    ],
  };
}

const refOf = ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

function componentOf(part, type) {
  const { name, version, license } = part;
  const ref = refOf(part);
  // CycloneDX has a separate member for an expression of several licences.
  const licences = / (AND|OR) /.test(license)
    ? [{ expression: license.replace(/^\((.*)\)$/, "$1") }]
    : [{ license: { id: license } }];
  return { type, "bom-ref": ref, name, version, purl: ref, licenses: licences };
}

/** Returns a version 8 UUID (RFC 9562), which contains custom bits. */
const uuidOf = (hex) =>
  [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
