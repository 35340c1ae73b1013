import type { JsonObject } from "@assay/protocol";
import { type ActsFile, notForClients, type Test } from "@assay/scenarios";
import type { BindingName, MatrixVersion } from "../document/document.ts";
import type { ClientDriver } from "../driver/client-driver.ts";
import type { DriverDescription } from "../driver/description.ts";
import type { Host } from "../driver/host.ts";
import type { ServerDriver } from "../driver/server-driver.ts";

/** One client, one server, one interface: run in one go. */
export interface Pairing {
  /** "a2a-js/a2a-go/jsonrpc/1.0" */
  readonly id: string;
  readonly client: DriverDescription;
  readonly server: DriverDescription;
  readonly binding: BindingName;
  readonly version: MatrixVersion;
}

/** The tools to run a pairing. */
export interface PairingTools {
  readonly client: Host<ClientDriver>;
  readonly server: Host<ServerDriver>;
  readonly file: ActsFile;
  /** the tests of the file that are run */
  readonly tests: readonly Test[];
  /** of this tool */
  readonly version: string;
  readonly signal: AbortSignal;
  /** the card of an agent, as served */
  cardOf(url: string): Promise<JsonObject | undefined>;
}

/** The binding names in ids and files. */
export const bindingWords = { JSONRPC: "jsonrpc", "HTTP+JSON": "rest", GRPC: "grpc" } as const satisfies Record<
  BindingName,
  string
>;

const pairingId = (client: string, server: string, binding: BindingName, version: MatrixVersion): string =>
  `${client}/${server}/${bindingWords[binding]}/${version}`;

/** Pairs every client with every server, over every binding and version that both have. */
export function pairingsOf(drivers: readonly DriverDescription[]): readonly Pairing[] {
  return drivers.flatMap((server) =>
    drivers.flatMap((client) =>
      (["1.0", "0.3"] as const).flatMap((version) =>
        (client.client?.speaks[version] ?? [])
          .filter((binding) => server.server?.speaks[version]?.includes(binding))
          .map((binding) => ({
            id: pairingId(client.name, server.name, binding, version),
            client,
            server,
            binding,
            version,
          })),
      ),
    ),
  );
}

/** Returns the scenarios that a client can run over a binding, in a version. */
export const testsFor = (
  { suites }: ActsFile,
  { binding, version }: Pick<Pairing, "binding" | "version">,
): readonly Test[] =>
  suites
    .flatMap(({ tests }) => tests)
    .filter((test) => notForClients(test) === undefined)
    .filter(({ transports }) => transports?.includes(bindingWords[binding]) ?? true)
    .filter(({ agent }) => agent !== "spec03" || version === "0.3");
