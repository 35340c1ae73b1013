import { type Client, ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver } from "a2a-sdk-0.3/client";
import { GrpcTransportFactory } from "a2a-sdk-0.3/client/grpc";

export const resolver = new DefaultAgentCardResolver();

/** Appends a slash, because the SDK resolves the card's path against the part before the last slash. */
export const folderOf = (address: string): string => (address.endsWith("/") ? address : `${address}/`);

/** Creates an SDK client for the agent at an address, with a preferred binding. */
export const clientFor = (address: string, binding?: string): Promise<Client> =>
  new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new GrpcTransportFactory()],
      ...(binding !== undefined && { preferredTransports: [binding] }),
    }),
  ).createFromUrl(folderOf(address));
