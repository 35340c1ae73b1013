import type { JsonObject } from "@assay/protocol";
import { cardOf, cardPath, type Exhibit, type ExhibitRequest, jsonRpcAt, type Serve } from "./exhibit.ts";

/** Building blocks for the responses of exhibits. */

export const text =
  (status: number, type: string, body: string, headers: Readonly<Record<string, string>> = {}): Serve =>
  ({ reply }) =>
    reply.send(status, { "Content-Type": type, ...headers }, body);

export const json =
  (body: unknown | ((call: ExhibitRequest) => unknown), status = 200): Serve =>
  (call) => {
    const value = typeof body === "function" ? body(call) : body;
    call.reply.send(status, { "Content-Type": "application/json" }, `${JSON.stringify(value, null, 2)}\n`);
  };

export const page = (title: string, status = 200): Serve =>
  text(
    status,
    "text/html; charset=utf-8",
    `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  );

export const redirect =
  (status: number, to: (call: ExhibitRequest) => string): Serve =>
  (call) =>
    call.reply.send(status, { Location: to(call) }, "");

export const card = (make: (call: ExhibitRequest) => JsonObject): Serve => json(make);

/** Returns the interfaces of a test bed agent, under one of its host names. */
export const interfacesOf = (agent: string, host: string): JsonObject[] => [
  jsonRpcAt(`http://${host}/${agent}`),
  { url: `http://${host}/${agent}`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
  { url: host, protocolBinding: "GRPC", protocolVersion: "1.0", tenant: agent },
];

export const hostOf = ({ origin }: ExhibitRequest): string => new URL(origin).host;

/** Serves a good card, and this at its only address. */
export const endpoint = (serve: Serve, more: JsonObject = {}): Exhibit["serves"] => ({
  [cardPath]: card(({ at }) => cardOf([jsonRpcAt(`${at}/rpc`)], more)),
  "/rpc": serve,
});

/** Returns a card that leads to a good agent. */
export const workingCard = (call: ExhibitRequest): JsonObject => cardOf(interfacesOf("echo", hostOf(call)));

/** Reads the method and the id of a JSON-RPC call. */
export async function calledIn({ request }: Parameters<Serve>[0]): Promise<{ method: string; id: unknown }> {
  try {
    const { method = "", id = null } = JSON.parse(String(await request.body()));
    return { method, id };
  } catch {
    return { method: "", id: null };
  }
}
