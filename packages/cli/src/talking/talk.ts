import { writeFileSync } from "node:fs";
import { type Connection, connect, findCard, parseAddress, peerOf } from "@assay/library/connection";
import { version } from "@assay/library/version";
import { extensionsHeader, type Operation } from "@assay/protocol";
import { jsonText } from "@assay/protocol/escape";
import { methodOf, type Peer, type PeerInterface, toHar } from "@assay/wire";
import type { TalkFlags } from "../commands/talk-flags.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

/** A conversation with an agent, and the screen that shows it. */
export interface Talk {
  readonly peer: Peer;
  readonly chosen: PeerInterface;
  readonly connection: Connection;
  readonly screen: Screen;
  readonly json: boolean;
  readonly signal: AbortSignal;
  /** Prints the request line; `what` is already escaped. */
  announce(operation: Operation, what: string): void;
}

/** Finds the agent, lets `act` talk to it, and saves the requested files, also after Ctrl-C. */
export async function talkTo(
  url: string,
  flags: TalkFlags,
  screen: Screen,
  act: (talk: Talk) => Promise<ExitCode>,
): Promise<ExitCode> {
  const connection = await connect(url, flags, screen);
  const interruption = interruptible(screen, {
    timeout: flags.shutdownTimeout,
    unfinished: () => ["open calls; the agent continues its work"],
  });
  try {
    const code = await act(await meet(url, flags, connection, screen, interruption.signal));
    if (!interruption.signal.aborted) return code;
    if (!flags.json) screen.line("interrupted; the agent continues its work");
    return exitCodes.interrupted;
  } finally {
    if (flags.save) save(flags.save, connection);
    await connection.clients.close();
    interruption.release();
  }
}

async function meet(
  url: string,
  flags: TalkFlags,
  connection: Connection,
  screen: Screen,
  signal: AbortSignal,
): Promise<Talk> {
  const found = await findCard(url, connection);
  const extensions: [string, string][] = flags.extension ? [[extensionsHeader, flags.extension.join(", ")]] : [];
  const { peer, chosen } = await peerOf(connection, found, flags, extensions);
  const json = flags.json ?? false;
  const expected = parseAddress(url).pathname.replace(/\/+$/, "");
  if (!json && !new URL(found.url).pathname.startsWith(expected))
    screen.line(`card found at ${found.url} (no card below ${expected})`);
  if (!connection.mayGoTo(chosen.url)) {
    const { host } = new URL(chosen.url);
    screen.complain(
      `${escapeText(host)} is not the address you named, so Assay sends it no credentials. To send them, add --trust-host ${escapeText(host)}.`,
    );
  }
  const announce = (operation: Operation, what: string): void => {
    if (json) return;
    const { host, pathname } = new URL(chosen.url);
    const method = methodOf(chosen, operation);
    screen.line(`${screen.colors.bold("→")} ${method}  ${bindingName(chosen)}  ${host}${pathname}   ${what}`.trimEnd());
  };
  return { peer, chosen, connection, screen, json, signal, announce };
}

const bindingNames = { JSONRPC: "JSON-RPC", "HTTP+JSON": "HTTP+JSON", GRPC: "gRPC" } as const;

const bindingName = ({ binding, dialect, tenant }: PeerInterface): string =>
  `${dialect === "1.0" ? "" : `${dialect} over `}${bindingNames[binding]}${tenant ? ` (tenant ${escapeText(tenant)})` : ""}`;

function save(file: string, { recording, mask }: Connection): void {
  const exchanges = recording.exchanges.map((exchange) => mask.exchange(exchange));
  try {
    writeFileSync(file, `${jsonText(toHar(exchanges, { name: "assay", version }), 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new UsageError(
      `Cannot write the exchanges to ${file}: ${(error as Error).message}`,
      "Choose another file for --save.",
    );
  }
}
