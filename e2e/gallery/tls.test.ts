import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import { commands } from "@assay/agents/gallery";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificates } from "../../packages/wire/src/client/certificates.fixture.ts";
import { assay } from "./told.fixture.ts";

// First contacts that need a port of their own: https with a certificate that is not to be trusted.

/** A certificate of 2020, which was good for a day. */
function makeExpired(): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), "assay-expired-"));
  const openssl = (...args: string[]): void => {
    execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  };
  const at = (name: string): string => join(folder, name);
  try {
    writeFileSync(at("index"), "");
    writeFileSync(
      at("ca.conf"),
      "[ca]\ndefault_ca=own\n[own]\ndatabase=index\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\npolicy=any\n" +
        "x509_extensions=ext\n[any]\ncommonName=supplied\n[ext]\nsubjectAltName=IP:127.0.0.1\n",
    );
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    openssl("req", ...curve, "-subj", "/CN=127.0.0.1", "-keyout", "key.pem", "-out", "request.pem");
    openssl(
      ...["ca", "-config", "ca.conf", "-batch", "-selfsign", "-keyfile", "key.pem", "-in", "request.pem"],
      ...["-startdate", "200101000000Z", "-enddate", "200102000000Z", "-notext", "-out", "cert.pem"],
    );
    return { cert: readFileSync(at("cert.pem"), "utf8"), key: readFileSync(at("key.pem"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const expired = makeExpired();
const { server: unknown } = makeCertificates();

const rows = [
  {
    what: "an expired certificate",
    tls: expired,
    // Trusted, so that its age is all that is wrong with it.
    trusted: expired.cert,
    says: "certificate has expired (CERT_HAS_EXPIRED)",
    fix: "--insecure",
  },
  {
    what: "a certificate of an unknown authority",
    tls: unknown,
    says: "unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
    fix: "Pass the certificate authority with --ca",
  },
];

describe.each(rows)("$what", ({ tls, trusted, says, fix }) => {
  let bed: Testbed;
  beforeAll(async () => {
    bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", tls });
  });
  afterAll(() => bed.close(0));

  test.each(commands)("assay %s", async (command) => {
    const folder = mkdtempSync(join(tmpdir(), "assay-ca-"));
    if (trusted !== undefined) writeFileSync(join(folder, "ca.pem"), trusted);
    const flags = trusted === undefined ? [] : ["--ca", join(folder, "ca.pem")];
    const { exit, said, all } = await assay(command, `${bed.url}/echo`, flags);
    expect({ exit, said, all }).toEqual({
      exit: 2,
      said: expect.stringContaining(says),
      all: expect.stringContaining(fix),
    });
  });
});
