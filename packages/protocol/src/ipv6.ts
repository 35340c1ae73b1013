/** Returns the eight groups of an IPv6 address, including one that ends in IPv4 notation, or undefined. */
export function ipv6Groups(address: string): readonly number[] | undefined {
  const [left = "", right, ...more] = withoutDots(address).split("::");
  if (more.length > 0) return undefined;
  const [head, tail] = [groupsOf(left), groupsOf(right ?? "")];
  const missing = 8 - head.length - tail.length;
  // "::" replaces at least one group.
  if (right === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array<string>(missing).fill("0"), ...tail];
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined;
}

const groupsOf = (text: string): string[] => (text === "" ? [] : text.split(":"));

/** `::ffff:127.0.0.1` as `::ffff:7f00:1`. */
const withoutDots = (address: string): string =>
  address.replace(/:(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (written, ...octets) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.slice(0, 4).map(Number);
    return Math.max(a, b, c, d) > 255 ? written : `:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
