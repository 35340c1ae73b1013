import type { Command } from "commander";
import { collect, seconds } from "./flag-values.ts";

/** The flags of every command that talks to somebody else's agent. */
export interface ConnectionFlags {
  readonly header?: string[];
  readonly bearer?: string;
  readonly apiKey?: string;
  readonly basic?: string;
  readonly oauthClient?: string;
  readonly tokenUrl?: string;
  readonly oauthScope?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: boolean;
  readonly allowHost?: string[];
  readonly trustHost?: string[];
  readonly contact?: string;
  readonly timeout?: number;
}

export const addConnectionFlags = (command: Command): Command =>
  command
    .option(
      "--header <name:value>",
      "send this header, with the card request too; its value is masked in all output (repeatable)",
      collect,
    )
    .option("--bearer <secret>", "Authorization: Bearer … (env:NAME or @file)")
    .option(
      "--api-key <name=secret>",
      "send the header <name> with this key; query:name=… puts it into the address, cookie:name=… into a cookie (env:NAME or @file behind the =)",
    )
    .option("--basic <user:secret>", "Authorization: Basic … (env:NAME or @file behind the colon)")
    .option(
      "--oauth-client <id[:secret]>",
      "log in as this OAuth client, with --token-url (env:NAME or @file behind the colon; env:ASSAY_OAUTH_SECRET unless given)",
    )
    .option("--token-url <url>", "where the OAuth client gets its token; its secret goes there and nowhere else")
    .option("--oauth-scope <scope>", "what the token is asked for")
    .option("--ca <file>", "trust this certificate authority as well (PEM)")
    .option("--cert <file>", "client certificate (PEM), with --key")
    .option("--key <file>", "key of the client certificate (PEM)")
    .option("--insecure", "accept any server certificate")
    .option(
      "--allow-host <host>",
      "may be contacted although it is not the host you named, or is private; gets no credentials (repeatable)",
      collect,
    )
    .option(
      "--trust-host <host[:port]>",
      "may see your credentials besides the address you named, and be contacted (repeatable)",
      collect,
    )
    .option("--contact <address>", "put this in our User-Agent, for those who run the agent")
    .option("--timeout <seconds>", "give up a request when nothing is heard for this long (60 unless given)", seconds);
