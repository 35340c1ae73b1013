/**
 * Returns the path to a value that contains itself, which a YAML alias can create, or undefined. Code that walks a
 * value cannot handle cycles.
 */
export function wayToCycle(value: unknown): (string | number)[] | undefined {
  const [around, seen] = [new Set<object>(), new Set<object>()];
  const look = (here: unknown, way: (string | number)[]): (string | number)[] | undefined => {
    if (typeof here !== "object" || here === null || seen.has(here)) return undefined;
    if (around.has(here)) return way;
    around.add(here);
    for (const [name, member] of Array.isArray(here) ? here.entries() : Object.entries(here)) {
      const found = look(member, [...way, name]);
      if (found) return found;
    }
    around.delete(here);
    seen.add(here);
    return undefined;
  };
  return look(value, []);
}
