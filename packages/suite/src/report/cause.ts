import { type ConformanceResult, interfaceKey } from "./result.ts";

/**
 * Finds the failure that a blocked result names. It prefers the same interface, then a failure about the card or the
 * whole agent, then any other. Returns undefined if the run stopped before it recorded the failure.
 */
export function causeFinder(
  results: readonly ConformanceResult[],
): (blocked: ConformanceResult) => ConformanceResult | undefined {
  const failures = new Map<string, Map<string, ConformanceResult>>();
  for (const result of results) {
    if (result.verdict !== "fail") continue;
    const id = `${result.dialect} ${result.test}`;
    const places = failures.get(id) ?? new Map<string, ConformanceResult>();
    failures.set(id, places.set(interfaceKey(result.interface), result));
  }
  return ({ rootCause, dialect, interface: on }) => {
    const places = rootCause === undefined ? undefined : failures.get(`${dialect} ${rootCause}`);
    return places?.get(interfaceKey(on)) ?? places?.get(interfaceKey(undefined)) ?? places?.values().next().value;
  };
}
