import type { Command } from "commander";
import { allowSecretFlag, allowSecretText, collect } from "./flag-values.ts";

/** The flags of every command that reads assay.yaml. */
export interface ConfigFlags {
  /** false with --no-config */
  readonly config?: string | false;
  readonly allowSecret?: string[];
  readonly untrustedConfig?: boolean;
}

export const addConfigFlags = (command: Command, text: string): Command =>
  addConfigTrustFlags(command.option("--config <file>", text).option("--no-config", "pass over ./assay.yaml"));

/** What the file may do with secrets and commands of this machine. */
export const addConfigTrustFlags = (command: Command): Command =>
  command
    .option(allowSecretFlag, allowSecretText, collect)
    .option(
      "--untrusted-config",
      "for an assay.yaml of someone else: ignore its start command, its secret references, and the hosts it allows and trusts",
    );
