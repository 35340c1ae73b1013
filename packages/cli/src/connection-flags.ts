import type { Command } from "commander";
import { collect, seconds } from "./flag-values.ts";

/** The flags of every command that talks to somebody else's agent. */
export interface ConnectionFlags {
  readonly header?: string[];
  readonly bearer?: string;
  readonly apiKey?: string;
  readonly basic?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: boolean;
  readonly allowHost?: string[];
  readonly contact?: string;
  readonly timeout?: number;
}

export const addConnectionFlags = (command: Command): Command =>
  command
    .option("--header <name:value>", "send this header, with the card request too (repeatable)", collect)
    .option("--bearer <secret>", "Authorization: Bearer … (env:NAME or @file)")
    .option("--api-key <name=secret>", "send the header <name> with this key (env:NAME or @file behind the =)")
    .option("--basic <user:secret>", "Authorization: Basic … (env:NAME or @file behind the colon)")
    .option("--ca <file>", "trust this certificate authority as well (PEM)")
    .option("--cert <file>", "client certificate (PEM), with --key")
    .option("--key <file>", "key of the client certificate (PEM)")
    .option("--insecure", "accept any server certificate")
    .option(
      "--allow-host <host>",
      "may be contacted although it is not the host you named, or is private (repeatable)",
      collect,
    )
    .option("--contact <address>", "put this in our User-Agent, for those who run the agent")
    .option("--timeout <seconds>", "give up a request when nothing is heard for this long (60 unless given)", seconds);
