/**
 * The way to a value that is a part of itself, as the alias of a YAML file can make one; undefined where there is none. Nothing that
 * walks through a value expects to find itself in there.
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
