import { sdkCalls } from "../generated/sdk-calls.ts";
import { sdkFaults, sdks } from "../generated/sdk-faults.ts";
import type { ConformanceResult } from "./result.ts";

export type SdkLanguage = "python" | "js" | "go" | "java";

/** An SDK or framework whose servers were examined. */
export interface KnownSdk {
  /** the name of its package */
  readonly package: string;
  readonly language: string;
  /** its column in sdk-calls.yaml */
  readonly calls?: SdkLanguage;
  /** newest first */
  readonly releases: readonly {
    readonly version: string;
    /** its main protocol version first, then the others */
    readonly dialects: readonly string[];
    /** below docs/findings */
    readonly pages: readonly string[];
  }[];
}

/** A fault of an SDK that its users cannot fix. */
export interface SdkFault {
  readonly sdk: string;
  readonly versions: readonly string[];
  /** rule ids, or "*" for every rule with an `answer` */
  readonly rules: readonly string[];
  readonly bindings?: readonly string[];
  readonly dialects: readonly string[];
  /** the breach code of the finding, or several alternatives */
  readonly code?: string | readonly string[];
  /** the response of the call that shows it */
  readonly answer?: string;
  readonly seen: string;
  readonly workaround: string;
}

/** The SDK of an agent, as far as it is known. */
export interface AgentSdk {
  /** its name in --sdk */
  readonly name: string;
  /** absent if only the SDK was recognised */
  readonly version?: string;
  /** how Assay knows it */
  readonly because: string;
}

/** The reason why a failure is not the author's fault. */
export interface KnownFault {
  /** "a2a-sdk 1.3.0" */
  readonly sdk: string;
  readonly seen: string;
  readonly workaround: string;
}

/** The values of --sdk. */
export const sdkNames: readonly string[] = Object.keys(sdks);

/** Returns "a2a-sdk (Python)", with the version if known. */
export function sdkTitle({ name, version }: Pick<AgentSdk, "name" | "version">): string {
  const sdk = sdks[name];
  if (!sdk) return name;
  return version === undefined ? `${sdk.package} (${sdk.language})` : `${sdk.package} ${version} (${sdk.language})`;
}

/** "known fault of a2a-sdk 1.3.0, not your code" */
export const knownFaultText = ({ sdk }: Pick<KnownFault, "sdk">): string => `known fault of ${sdk}, not your code`;

/** Adds the SDK fault to each failure that it causes, and the SDK call to each remedy. */
export function withSdk(
  results: readonly ConformanceResult[],
  sdk: AgentSdk | undefined,
  { dialects, ignore }: { readonly dialects: readonly string[]; readonly ignore: boolean },
): readonly ConformanceResult[] {
  const known = sdk && sdks[sdk.name];
  if (!sdk || !known) return results;
  const version = sdk.version ?? releaseFor(known, dialects);
  const faults = sdkFaults.filter((row) => row.sdk === sdk.name && row.versions.includes(version ?? ""));
  return results.map((result) => {
    if (result.party === "client") return result;
    const fault = result.verdict === "fail" ? faults.find((row) => isFault(row, result)) : undefined;
    const title = `${known.package} ${version}`;
    const call = known.calls && sdkCalls[result.test]?.[known.calls];
    return {
      ...result,
      // If the SDK itself is at fault, its calls do not help, but the workaround does.
      ...(result.remedy !== undefined &&
        call &&
        !fault && { remedy: `${result.remedy} With ${known.package}: ${call}` }),
      ...(fault && { knownFault: { sdk: title, seen: fault.seen, workaround: fault.workaround } }),
      ...(fault && ignore && result.expected === undefined && { expected: `known fault of ${title}` }),
    };
  });
}

/** Returns the newest release for the newest version that the agent speaks, or one that also supports it. */
function releaseFor({ releases }: KnownSdk, dialects: readonly string[]): string | undefined {
  const newest = dialects.toSorted().at(-1);
  if (newest === undefined) return undefined;
  const made = releases.find(({ dialects: [own] }) => own === newest);
  return (made ?? releases.find((release) => release.dialects.includes(newest)))?.version;
}

const isFault = (row: SdkFault, { test, dialect, interface: on, code, answer }: ConformanceResult): boolean =>
  (row.rules.includes(test) || row.rules.includes("*")) &&
  row.dialects.includes(dialect) &&
  (row.bindings === undefined || (on !== undefined && row.bindings.includes(on.binding))) &&
  (row.code === undefined || (code !== undefined && [row.code].flat().includes(code))) &&
  (row.answer === undefined || row.answer === answer);
