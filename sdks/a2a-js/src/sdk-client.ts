import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";

// The layer for agents of 0.3 is part of the SDK, and off by default; what it does for agents of 1.0 is nothing.
const legacyCompat = { enabled: true };

export const resolver = new DefaultAgentCardResolver({ legacyCompat });

/** The SDK reads the path of the card from the address before the last slash. */
export const folderOf = (address: string): string => (address.endsWith("/") ? address : `${address}/`);

/** A client of the SDK for the agent at an address, told which binding to prefer. */
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
