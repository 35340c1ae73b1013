import { isObject, type JsonObject, type Operation, operations } from "@assay/protocol";
import { toHar, toHarEntry } from "@assay/wire";
import { ApiError } from "../../server/api-error.ts";
import type { Lab } from "../../server/lab.ts";
import { type ApiRequest, type ApiRoute, download, events, json, route } from "../../server/route.ts";
import { readAccess } from "../runs/read-wish.ts";
import type { Asking } from "./conversation.ts";
import type { Conversations } from "./conversations.ts";

/** Routes for talking to an agent by hand. Every call answers at once; events report what happens. */
export function talkRoutes(lab: Lab, conversations: Conversations): readonly ApiRoute[] {
  const of = ({ params }: ApiRequest) => conversations.get(params["talk"]!);
  return [
    route("POST", "/api/talks", async (request) => {
      const way = await lab.reach(readAccess(await request.json()));
      return json((await conversations.begin(way)).document, 201);
    }),
    route("GET", "/api/talks/:talk", (request) => json(of(request).document)),
    route("DELETE", "/api/talks/:talk", async ({ params }) => {
      await conversations.end(params["talk"]!);
      return json({ ended: true });
    }),
    route("GET", "/api/talks/:talk/events", (request) => events(of(request).log.read(request.signal))),
    route("POST", "/api/talks/:talk/turns", async (request) => {
      return json({ turn: await of(request).ask(readAsking(await request.json())) }, 202);
    }),
    route("POST", "/api/talks/:talk/turns/:turn/disconnect", (request) => {
      of(request).disconnect(turnIn(request));
      return json({ disconnecting: true }, 202);
    }),
    route("GET", "/api/talks/:talk/turns/:turn/wires", async (request) =>
      json(await of(request).wires(turnIn(request))),
    ),
    route("GET", "/api/talks/:talk/exchanges/:exchange", (request) => {
      const { exchange: id } = request.params;
      const exchange = of(request).exchange(id!);
      if (!exchange) throw new ApiError(404, `This conversation has no exchange "${id}".`);
      return json(toHarEntry(exchange));
    }),
    route("GET", "/api/talks/:talk/har", (request) => {
      const har = toHar(of(request).exchanges, { name: "assay", version: lab.version });
      return download("talk.har", "application/octet-stream", JSON.stringify(har, undefined, 2));
    }),
  ];
}

function turnIn({ params }: ApiRequest): number {
  const turn = params["turn"]!;
  if (!/^\d{1,6}$/.test(turn)) throw new ApiError(404, `There is no turn "${turn}".`);
  return Number(turn);
}

function readAsking(given: unknown): Asking {
  const { operation, request = {}, on, push } = given as Record<string, unknown>;
  if (typeof operation !== "string" || !Object.hasOwn(operations, operation))
    throw new ApiError(
      400,
      '"operation" must be an operation of A2A 1.0.',
      `One of: ${Object.keys(operations).join(", ")}`,
    );
  if (!isObject(request)) throw new ApiError(400, '"request" must be an object in the form of A2A 1.0.');
  if (on !== undefined && !(Number.isInteger(on) && Number(on) >= 0))
    throw new ApiError(400, '"on" must be the index of an interface of the card, from 0.');
  if (push !== undefined && typeof push !== "boolean") throw new ApiError(400, '"push" must be true or false.');
  return {
    operation: operation as Operation,
    request: request as JsonObject,
    ...(on !== undefined && { on: Number(on) }),
    ...(push && { push }),
  };
}
