import { readSecret, type SecretValue } from "@assay/library/secrets";
import { UsageError } from "../exit.ts";

/** Reads `name=value`; what is named as a secret is kept out of everything that is written. */
export function actsVariables(given: readonly string[]): { given: Record<string, string>; secrets: SecretValue[] } {
  const values: Record<string, string> = {};
  const secrets: SecretValue[] = [];
  for (const text of given) {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`--var ${text}: write it as name=value`);
    const [name, value] = [text.slice(0, at), text.slice(at + 1)];
    const isSecret = value.startsWith("env:") || value.startsWith("@");
    values[name] = isSecret ? readSecret(`--var ${name}`, value, () => {}) : value;
    if (isSecret) secrets.push({ name, value: values[name] });
  }
  return { given: values, secrets };
}
