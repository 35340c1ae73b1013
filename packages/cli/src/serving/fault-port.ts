import { Faults, openFaultFront } from "@assay/proxy";
import { operationAsked } from "@assay/suite";
import type { Exchange } from "@assay/wire";
import { UsageError } from "../exit.ts";
import { brief } from "../terminal/escape.ts";
import type { ServerLog } from "./server-log.ts";
import type { ServeSettings } from "./settings.ts";

/** The part of a server that a fault port needs. */
interface Server {
  readonly url: string;
  readonly port: number;
  close(graceMs?: number): Promise<void>;
}

/** The port of `assay serve --fault`: it injects the faults, and the server behind it has a port of its own. */
export function faultPort(flags: ServeSettings) {
  const bypass = flags.cert ? "--cert" : flags.grpcPort === undefined ? undefined : "--grpc-port";
  if (bypass)
    throw new UsageError(
      `--fault and ${bypass} cannot be used together`,
      `Remove ${bypass}, or put assay proxy <url> --fault in front of a server without --fault.`,
    );
  const faults = new Faults(flags.fault ?? [], flags.seed);
  return {
    /** Opens the port. Every call is passed to `onExchange`, with the faults that hit it. */
    async before<T extends Server>(server: T, onExchange: (exchange: Exchange) => void, log: ServerLog): Promise<T> {
      const front = await openFaultFront({
        behind: server.url,
        host: flags.host,
        port: flags.port,
        allowHosts: [...(flags.allowHost ?? []), ...hostsIn([...(flags.cors ?? []), flags.publicUrl ?? ""])],
        faults,
        onExchange: (exchange) => {
          tell(exchange, log);
          onExchange(exchange);
        },
      }).catch(async (error: Error) => {
        await server.close(0);
        throw new UsageError(
          `cannot listen on ${flags.host} port ${flags.port}: ${error.message}`,
          "Choose another port (--port 0 picks a free one), or stop the program that uses this one.",
        );
      });
      return Object.assign(
        { ...server },
        {
          url: front.url,
          port: front.port,
          async close(graceMs?: number) {
            await server.close(graceMs);
            await front.close();
          },
        },
      );
    },
  };
}

const hostsIn = (addresses: readonly string[]): string[] =>
  addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).hostname] : []));

function tell({ faults, http: { request } }: Exchange, log: ServerLog): void {
  if (!faults) return;
  const call = operationAsked(request)?.operation ?? `${request.method} ${new URL(request.url).pathname}`;
  log.event("info", "fault", { call, faults }, `fault ${faults.join(", ")}: ${brief(call, 90)}`);
}
