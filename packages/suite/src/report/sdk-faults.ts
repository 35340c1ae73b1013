import { sdkCalls } from "../generated/sdk-calls.ts";
import { sdkFaults, sdks } from "../generated/sdk-faults.ts";
import type { ConformanceResult } from "./result.ts";

export type SdkLanguage = "python" | "js" | "go" | "java";

/** An SDK or framework whose servers were examined. */
export interface KnownSdk {
  /** as its package is called */
  readonly package: string;
  readonly language: string;
  /** the column of sdk-calls.yaml that fits it */
  readonly calls?: SdkLanguage;
  /** the newest first */
  readonly releases: readonly {
    readonly version: string;
    /** the protocol version it was made for, then those it speaks besides */
    readonly dialects: readonly string[];
    /** below docs/findings */
    readonly pages: readonly string[];
  }[];
}

/** A fault of an SDK that its users cannot fix. */
export interface SdkFault {
  readonly sdk: string;
  readonly versions: readonly string[];
  /** ids; "*" for every rule, with an `answer` */
  readonly rules: readonly string[];
  readonly bindings?: readonly string[];
  readonly dialects: readonly string[];
  /** the breach code of the finding, or several of which it has one */
  readonly code?: string | readonly string[];
  /** how the call was answered that shows it */
  readonly answer?: string;
  readonly seen: string;
  readonly workaround: string;
}

/** The SDK that an agent is built with, as far as it is known. */
export interface AgentSdk {
  /** as --sdk names it */
  readonly name: string;
  /** absent where only the SDK was recognised */
  readonly version?: string;
  /** how we know */
  readonly because: string;
}

/** Why a failure is not the author's. */
export interface KnownFault {
  /** "a2a-sdk 1.3.0" */
  readonly sdk: string;
  readonly seen: string;
  readonly workaround: string;
}

/** The names that --sdk takes. */
export const sdkNames: readonly string[] = Object.keys(sdks);

/** "a2a-sdk (Python)", with the version where it is known. */
export function sdkTitle({ name, version }: Pick<AgentSdk, "name" | "version">): string {
  const sdk = sdks[name];
  if (!sdk) return name;
  return version === undefined ? `${sdk.package} (${sdk.language})` : `${sdk.package} ${version} (${sdk.language})`;
}

/** "known fault of a2a-sdk 1.3.0, not your code" */
export const knownFaultText = ({ sdk }: Pick<KnownFault, "sdk">): string => `known fault of ${sdk}, not your code`;

/** The results, each failure with the fault of the SDK that it is, and each remedy with the call of the SDK. */
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
      // Where the SDK itself is at fault, its calls do not help; the workaround does.
      ...(result.remedy !== undefined &&
        call &&
        !fault && { remedy: `${result.remedy} With ${known.package}: ${call}` }),
      ...(fault && { knownFault: { sdk: title, seen: fault.seen, workaround: fault.workaround } }),
      ...(fault && ignore && result.expected === undefined && { expected: `known fault of ${title}` }),
    };
  });
}

/** The newest release made for the newest version that the agent speaks; else one that speaks it besides. */
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
