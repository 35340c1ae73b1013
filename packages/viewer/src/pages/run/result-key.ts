import { type ConformanceReport, type ConformanceResult, resultsOf } from "@assay/suite/report";
import { wellFormed } from "../../app/route.ts";

/**
 * The keys of results in the URL of the page, such as "LIST-003~1.0~JSONRPC". A number is added if several share a key.
 */
export class ResultKeys {
  readonly results: readonly ConformanceResult[];
  readonly #byKey = new Map<string, ConformanceResult>();
  readonly #keys = new Map<ConformanceResult, string>();

  constructor(report: ConformanceReport) {
    this.results = resultsOf(report);
    for (const result of this.results) {
      const { test, dialect, interface: on, party, situation } = result;
      const plain = wellFormed([test, dialect, on?.binding ?? "card", party, situation].filter(Boolean).join("~"));
      let key = plain;
      for (let n = 2; this.#byKey.has(key); n++) key = `${plain}~${n}`;
      this.#byKey.set(key, result);
      this.#keys.set(result, key);
    }
  }

  keyOf(result: ConformanceResult): string {
    return this.#keys.get(result)!;
  }

  find(key: string | undefined): ConformanceResult | undefined {
    return key === undefined ? undefined : this.#byKey.get(key);
  }
}
