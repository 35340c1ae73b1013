import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";

// The SDK includes a layer for agents of 0.3, which is off by default. It does not affect agents of 1.0.
const legacyCompat = { enabled: true };

export const resolver = new DefaultAgentCardResolver({ legacyCompat });

/** Appends a slash, because the SDK resolves the card's path against the part before the last slash. */
export const folderOf = (address: string): string => (address.endsWith("/") ? address : `${address}/`);

/** Creates an SDK client for the agent at an address, with a preferred binding. */
export const clientFor = (address: string, binding?: string): Promise<Client> =>
  new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ legacyCompat }),
      new RestTransportFactory({ legacyCompat }),
      new GrpcTransportFactory({ legacyCompat }),
    ],
    cardResolver: resolver,
    ...(binding !== undefined && { preferredTransports: [binding] }),
  }).createFromUrl(folderOf(address));
