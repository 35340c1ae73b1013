import type { JsonObject } from "@assay/protocol";
import { cardOf, cardPath, type Exhibit, exhibit, jsonRpcAt } from "./exhibit.ts";
import { card, hostOf, interfacesOf } from "./serving.ts";

/** Exhibits with a card whose interfaces cannot be used as they are, or need interpretation. */

const served = (make: (host: string, at: string) => JsonObject): Exhibit["serves"] => ({
  [cardPath]: card((call) => make(hostOf(call), call.at)),
});
const fine = "No errors in this card";
const behindGoodCard = (says: string) => ({ test: says, card: fine, send: says });
/** Nothing can be judged, and the card is not at fault. */
const noVerdict = { test: 2, card: 0, send: 2 } as const;
const working = { test: "conformant", card: fine, send: "Echo: hello" } as const;
const port = (host: string): string => host.replace(/^.*:/, "");

export const interfaceExhibits: readonly Exhibit[] = [
  exhibit("no-interfaces", "The card has no address of the agent.", {
    says: "The card lists no interface, so clients cannot reach the agent",
    fix: "List every interface in `supportedInterfaces` with url, protocolBinding and protocolVersion",
    exit: 1,
    serves: served(() => {
      const { supportedInterfaces: _none, ...rest } = cardOf([]);
      return rest;
    }),
  }),
  exhibit("empty-interfaces", "The card has an empty list of interfaces.", {
    says: "The card lists no interface, so clients cannot reach the agent",
    fix: "List every interface in `supportedInterfaces` with url, protocolBinding and protocolVersion",
    exit: 1,
    serves: served(() => cardOf([])),
  }),
  exhibit("custom-bindings", "The card declares only a custom binding.", {
    says: behindGoodCard(
      "The card offers only bindings that Assay does not support: https://example.com/bindings/mail/v1",
    ),
    fix: "Assay supports JSONRPC, HTTP+JSON and GRPC",
    exit: noVerdict,
    serves: served((_host, at) =>
      cardOf([{ url: `${at}/mail`, protocolBinding: "https://example.com/bindings/mail/v1", protocolVersion: "1.0" }]),
    ),
  }),
  exhibit("future-version", "The card declares a version that does not exist yet.", {
    says: {
      ...behindGoodCard("The card offers only versions that Assay does not support: 7.0"),
      card: 'is "7.0", an unknown version; Assay did not check this interface',
    },
    fix: "Assay supports 1.0, 0.3, 0.2 and 0.1",
    exit: noVerdict,
    serves: served((_host, at) => cardOf([jsonRpcAt(`${at}/rpc`, "7.0")])),
  }),
  exhibit("relative-url", "The card gives a URL without a host.", {
    says: 'is "/echo"; JSONRPC needs an absolute http(s) URL',
    fix: "Write the `url` of the interface with scheme and host",
    exit: 1,
    serves: served(() => cardOf([jsonRpcAt("/echo")])),
  }),
  exhibit("localhost", "The card says localhost, but it was fetched from 127.0.0.1.", {
    says: working,
    exit: 0,
    serves: served((host) => cardOf(interfacesOf("echo", `localhost:${port(host)}`))),
  }),
  exhibit("loopback-address", "The card says 127.0.0.1, but it was fetched from localhost.", {
    address: "http://localhost:{port}/gallery/loopback-address",
    says: working,
    exit: 0,
    serves: served((host) => cardOf(interfacesOf("echo", `127.0.0.1:${port(host)}`))),
  }),
  exhibit("any-address", "The card says 0.0.0.0, an address to listen on and not one to call.", {
    says: {
      test: "0.0.0.0 is read as 127.0.0.1, the host of the card",
      card: "0.0.0.0 is a listening address; clients cannot call it",
      send: "Echo: hello",
    },
    fix: "Publish the host name that clients use.",
    exit: 0,
    serves: served((host) => cardOf(interfacesOf("echo", `0.0.0.0:${port(host)}`))),
  }),
  exhibit("private-host", "The card names a host in a private network.", {
    says: { ...behindGoodCard("10.1.2.3 is a private address"), card: "plain http; production agents must use https" },
    fix: "pass --allow-host 10.1.2.3",
    exit: noVerdict,
    serves: served(() => cardOf([jsonRpcAt("http://10.1.2.3:8080/rpc")])),
  }),
  exhibit("unknown-host", "The card names a host that does not exist.", {
    says: { ...behindGoodCard("the host name did not resolve"), card: "plain http; production agents must use https" },
    fix: "Check the host name and the DNS server.",
    exit: noVerdict,
    serves: served(() => cardOf([jsonRpcAt("http://agent.invalid/rpc")])),
  }),
  exhibit("grpc-without-server", "The card declares only gRPC, and no server listens there.", {
    says: behindGoodCard("connection refused"),
    fix: "Check that the server is running on this port.",
    exit: noVerdict,
    serves: served(() => cardOf([{ url: "127.0.0.1:9", protocolBinding: "GRPC", protocolVersion: "1.0" }])),
  }),
];
