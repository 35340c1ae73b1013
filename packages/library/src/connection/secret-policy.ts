import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { type AllowedSecret, allowingFlag, mayGoTo } from "./allowed-secret.ts";
import type { SecretUse } from "./secret-use.ts";
import { referenceIn } from "./secrets.ts";

/** The secrets that a config file may use. */
export interface SecretPolicy {
  /** secrets that the operator allowed with `--allow-secret` */
  readonly allowed: readonly AllowedSecret[];
  /**
   * The folder of the operator's own file that names the secrets. That file may use variables, and files below the
   * folder. Without a folder, only listed secrets are allowed.
   */
  readonly folder?: string;
  /**
   * hosts that this file trusts with every secret, but the operator does not: they get no secret from outside the
   * folder
   */
  readonly trustHosts?: readonly string[];
}

/** Returns the flags that are missing before a secret may be used, or none if it may. */
export function missingFlags(
  { reference, to }: SecretUse,
  { allowed, folder, trustHosts = [] }: SecretPolicy,
): string[] {
  if (folder !== undefined && isOwn(folder, reference)) return [];
  const meant = folder === undefined ? reference : referenceIn(folder, reference);
  const missing = to.filter((address) => !mayGoTo(allowed, meant, address));
  const flags = missing.map((address) => allowingFlag(meant, address));
  return [...new Set([...flags, ...trustHosts.map((host) => `--trust-host ${host}`)])];
}

/**
 * Returns true for a variable, or a file below the folder. It resolves links first, so that none leads out of the
 * folder.
 */
function isOwn(folder: string, reference: string): boolean {
  if (!reference.startsWith("@")) return true;
  try {
    const way = relative(realpathSync(folder), realpathSync(resolve(folder, reference.slice(1))));
    return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  } catch {
    // A missing file cannot be read either. The error for that names the file.
    return true;
  }
}
