/** The order of the curve P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * For every signature (r, s) of ES256 there is a second one that fits, (r, order - s), and who has the first can write it. Of the two
 * only the one with the lower s counts, so that no byte of what was signed can be changed, those of its signature included.
 */
export const isLowS = (signature: Uint8Array): boolean => sOf(signature) <= order / 2n;

export function lowS(signature: Uint8Array): Uint8Array {
  if (isLowS(signature)) return signature;
  const s = (order - sOf(signature)).toString(16).padStart(64, "0");
  return new Uint8Array([...signature.subarray(0, 32), ...Buffer.from(s, "hex")]);
}

const sOf = (signature: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(signature.subarray(32)).toString("hex") || "0"}`);
