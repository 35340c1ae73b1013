/** Frames of HTTP/2 (RFC 9113) as bytes, for requests that no library would send. */
export const types = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
};
export const flags = { endStream: 1, ack: 1, endHeaders: 4 };
export const headLength = 9;
export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export function frame(type: number, flag: number, stream: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.alloc(headLength + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flag;
  bytes.writeUInt32BE(stream, 5);
  bytes.set(payload, headLength);
  return bytes;
}

/** Encodes a header literally in HPACK, without an entry in the table (RFC 7541 §6.2.2). */
export const literal = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);
