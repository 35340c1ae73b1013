/** Finds the one byte that makes a text invalid JSON. Positions count from 0. */
export function strayByteIn(data: string): { readonly name: string; readonly at: number } | undefined {
  if (isJson(data)) return undefined;
  const [first, last] = [data.search(/[{[]/), Math.max(data.lastIndexOf("}"), data.lastIndexOf("]"))];
  const inside = first < 0 ? "" : data.slice(first, last + 1);
  const control = data.search(/[\0-\x1f]/);
  const index = isJson(inside) ? (first > 0 ? 0 : last + 1) : control;
  const rest = Buffer.from(index < 0 ? "" : data.slice(index));
  if (rest[0] === undefined) return undefined;
  return {
    name: `0x${rest[0].toString(16).toUpperCase().padStart(2, "0")}`,
    at: Buffer.byteLength(data.slice(0, index)),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
