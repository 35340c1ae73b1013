import { type ConformanceResult, type InterfaceName, interfaceKey } from "./result.ts";

/**
 * Gives every finding, a failure or a warning, a name that it has in every run: the rule, the version, the binding and the
 * kind of breach. No address is in it, since ports change, and neither are ids or words of the agent. Where one binding is
 * offered at several addresses, the second and further ones are counted, as the card lists them.
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
