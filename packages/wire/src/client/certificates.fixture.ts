import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  readonly ca: string;
  readonly server: Certificate;
  readonly client: Certificate;
  /** certificates of further clients, by common name */
  readonly named: Readonly<Record<string, Certificate>>;
}

/** Makes a CA with certificates for a server (agent.test and 127.0.0.1) and for clients, by openssl. */
export function makeCertificates(...names: string[]): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "assay-certificates-"));
  const openssl = (...args: string[]): void => {
    execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  };
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

  const issue = (name: string, extension: string): Certificate => {
    writeFileSync(join(folder, `${name}.ext`), extension);
    openssl("req", ...key, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
    openssl(
      ...["x509", "-req", "-in", `${name}.csr`, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"],
      ...["-days", "1", "-extfile", `${name}.ext`, "-out", `${name}.pem`],
    );
    return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
  };

  try {
    openssl("req", "-x509", ...key, "-days", "1", "-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem");
    const server = issue("server", "subjectAltName=DNS:agent.test,IP:127.0.0.1\n");
    const asClient = (name: string) => issue(name, "extendedKeyUsage=clientAuth\n");
    const client = asClient("client");
    const named = Object.fromEntries(names.map((name) => [name, asClient(name)]));
    return { ca: read("ca.pem"), server, client, named };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
