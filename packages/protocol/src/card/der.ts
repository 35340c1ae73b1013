/** Bytes of R and of S for each ECDSA algorithm of JWS (RFC 7518 §3.4). */
const coordinateSizes: Record<string, number> = { ES256: 32, ES384: 48, ES512: 66 };

const sequence = 0x30;
const integer = 0x02;

/**
 * Converts an ECDSA signature from DER, which most crypto libraries emit, to the R||S form of JWS. Returns undefined if
 * the bytes are not DER.
 */
export function rawFromDer(alg: string, bytes: Uint8Array): Uint8Array | undefined {
  const size = coordinateSizes[alg];
  // R||S has exactly this length. It must not be mistaken for DER because it happens to start with 0x30.
  if (size === undefined || bytes.length === 2 * size) return undefined;
  const body = element(bytes, 0, sequence);
  if (body?.end !== bytes.length) return undefined;
  const r = element(bytes, body.start, integer);
  const s = r && element(bytes, r.end, integer);
  if (s?.end !== bytes.length) return undefined;

  const raw = new Uint8Array(2 * size);
  const fits =
    place(bytes.subarray(r!.start, r!.end), raw, size) && place(bytes.subarray(s.start, s.end), raw, 2 * size);
  return fits ? raw : undefined;
}

/** Finds the content of a DER element. P-521 signatures need the one-byte long form of the length. */
function element(bytes: Uint8Array, at: number, tag: number): { start: number; end: number } | undefined {
  const length = bytes[at + 1];
  if (bytes[at] !== tag || length === undefined) return undefined;
  if (length < 0x80) return { start: at + 2, end: at + 2 + length };
  const long = bytes[at + 2];
  return length === 0x81 && long !== undefined ? { start: at + 3, end: at + 3 + long } : undefined;
}

/** DER integers are signed and minimal: remove the sign byte, then right-align before `end`. */
function place(value: Uint8Array, target: Uint8Array, end: number): boolean {
  const digits = value[0] === 0 ? value.subarray(1) : value;
  if (digits.length > target.length / 2) return false;
  target.set(digits, end - digits.length);
  return true;
}
