import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "@assay/protocol/assay-error";

export interface SecretValue {
  readonly name: string;
  readonly value: string;
}

/** Returns true if a text names a secret instead of containing it. */
export const isReference = (given: string): boolean => /^(env:|@)/.test(given);

/** Returns a reference with its file as an absolute path, resolved against this folder. */
export const referenceIn = (folder: string, given: string): string =>
  given.startsWith("@") ? `@${resolve(folder, given.slice(1))}` : given;

/**
 * Reads `env:NAME` and `@file`, which keep a secret out of histories and repositories. A literal works, with a warning.
 */
export function readSecret(place: string, given: string, warn: (place: string) => void): string {
  if (given.startsWith("env:")) {
    const name = given.slice(4);
    const value = process.env[name];
    if (!value)
      throw new UsageError(`${place}: the environment variable ${name} is not set`, `Set it first: export ${name}=…`);
    return value;
  }
  if (given.startsWith("@")) {
    try {
      return readFileSync(given.slice(1), "utf8").trim();
    } catch {
      throw new UsageError(`${place}: cannot read the file ${given.slice(1)}`);
    }
  }
  warn(place);
  return given;
}
