import { type Client, ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver } from "a2a-sdk-0.3/client";
import { GrpcTransportFactory } from "a2a-sdk-0.3/client/grpc";

export const resolver = new DefaultAgentCardResolver();

/** The SDK reads the path of the card from the address before the last slash. */
export const folderOf = (address: string): string => (address.endsWith("/") ? address : `${address}/`);

/** A client of the SDK for the agent at an address, told which binding to prefer. */
export const clientFor = (address: string, binding?: string): Promise<Client> =>
  new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new GrpcTransportFactory()],
      ...(binding !== undefined && { preferredTransports: [binding] }),
    }),
  ).createFromUrl(folderOf(address));
