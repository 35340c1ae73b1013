import { randomBytes, sign } from "node:crypto";
import { createKeyPair } from "@assay/wire/key-pair";

/**
 * Creates a self-signed certificate for 127.0.0.1 and localhost with its key. It is valid for one hour and trusted
 * nowhere.
 */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = createKeyPair("P-256");
  const name = sequence(set(sequence(objectId(commonName), utf8("Assay situation"))));
  const names = sequence(element(0x82, Buffer.from("localhost")), element(0x87, Buffer.from([127, 0, 0, 1])));
  const signed = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    // The first byte keeps the serial number positive.
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    name,
    sequence(time(-hourMs), time(hourMs)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, sequence(sequence(objectId(subjectAltName), element(0x04, names)))),
  );
  const signature = sign("sha256", signed, privateKey);
  const whole = sequence(signed, ecdsaWithSha256, element(0x03, Buffer.from([0]), signature));
  return { cert: pem(whole), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

const hourMs = 3_600_000;

// DER (X.690), as far as one certificate (RFC 5280) needs it.

function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...content: readonly Uint8Array[]): Buffer => element(0x30, ...content);
const set = (...content: readonly Uint8Array[]): Buffer => element(0x31, ...content);
const integer = (bytes: Uint8Array): Buffer => element(0x02, bytes);
const objectId = (hex: string): Buffer => element(0x06, Buffer.from(hex, "hex"));
const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text));

/** Writes the time `ms` from now as YYMMDDHHMMSSZ. */
const time = (ms: number): Buffer =>
  element(0x17, Buffer.from(`${new Date(Date.now() + ms).toISOString().replaceAll(/\D/g, "").slice(2, 14)}Z`));

const commonName = "550403";
const subjectAltName = "551d11";
const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
