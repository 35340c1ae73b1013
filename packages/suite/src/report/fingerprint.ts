import { type ConformanceResult, type InterfaceName, interfaceKey } from "./result.ts";

/**
 * Gives every failure or warning a name that stays the same in every run: rule, version, binding and kind of breach.
 * It contains no address, because ports change, and no ids or texts of the agent. Further addresses of the same
 * binding are numbered in card order.
 */
export function fingerprinted(
  results: readonly ConformanceResult[],
  interfaces: readonly InterfaceName[],
): ConformanceResult[] {
  const places = placesOf(interfaces);
  return results.map((result) =>
    isFinding(result)
      ? { ...result, fingerprint: fingerprintOf(result, places.get(interfaceKey(result.interface))) }
      : result,
  );
}

const isFinding = ({ verdict, warning }: ConformanceResult): boolean => verdict === "fail" || warning !== undefined;

const fingerprintOf = ({ test, dialect, interface: on, code = "broken" }: ConformanceResult, place?: string): string =>
  [test, dialect, place ?? on?.binding ?? "card", code].join("/");

/** "JSONRPC", and "JSONRPC-2" for the second address of the same binding in the same version. */
function placesOf(interfaces: readonly InterfaceName[]): ReadonlyMap<string, string> {
  const seen = new Map<string, number>();
  return new Map(
    interfaces.map((on) => {
      const kind = `${on.binding} ${on.dialect}`;
      const nth = (seen.get(kind) ?? 0) + 1;
      seen.set(kind, nth);
      return [interfaceKey(on), nth === 1 ? on.binding : `${on.binding}-${nth}`];
    }),
  );
}
