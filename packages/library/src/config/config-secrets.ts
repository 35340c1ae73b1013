import { dirname } from "node:path";
import { UsageError } from "@assay/protocol/assay-error";
import { escapeText } from "@assay/protocol/escape";
import { type AllowedSecret, shownPlace } from "../connection/allowed-secret.ts";
import type { OptionCaller } from "../connection/option-caller.ts";
import { missingFlags } from "../connection/secret-policy.ts";
import type { SecretUse } from "../connection/secret-use.ts";

/** A config file with secrets to read, and the hosts that it may send them to besides the agent. */
export interface ConfigInUse {
  readonly file: string;
  /** `--allow-secret` */
  readonly allowed: readonly AllowedSecret[];
  readonly trustHosts: readonly string[];
  /** hosts that the command line trusts: `--trust-host` */
  readonly trusted: readonly string[];
}

/**
 * Checks the secrets that a config file names before Assay reads or sends any of them. Refuses files outside the config
 * file's folder unless the operator allowed them. Reports where each of the other secrets goes.
 */
export function admitSecrets(
  uses: readonly SecretUse[],
  { file, allowed, trustHosts, trusted }: ConfigInUse,
  caller: OptionCaller,
): void {
  const unasked = trustHosts.filter((host) => !trusted.includes(host));
  const policy = { allowed, folder: dirname(file), trustHosts: unasked };
  for (const use of uses) {
    const missing = missingFlags(use, policy);
    if (missing.length)
      throw new UsageError(
        `${escapeText(`${use.place}: ${use.reference}`)} is outside the folder of ${escapeText(file)}, so Assay does not send it.`,
        `If you trust this file, allow it: ${escapeText(missing.join(" "))}`,
      );
  }
  for (const line of sendingLines(uses, [...trustHosts, ...trusted])) caller.complain(`${escapeText(file)} ${line}`);
}

/** Returns one line for each reference: "sends env:TOKEN to agents.example:443". */
export function sendingLines(uses: readonly SecretUse[], trustHosts: readonly string[] = []): string[] {
  const places = new Map<string, Set<string>>();
  for (const { reference, to } of uses) {
    const known = places.get(reference) ?? new Set<string>();
    places.set(reference, known);
    for (const address of to) known.add(shownPlace(address, "http://"));
  }
  return [...places].map(
    ([reference, to]) =>
      `sends ${escapeText(reference)} to ${escapeText([...new Set([...to, ...trustHosts])].join(", "))}`,
  );
}
