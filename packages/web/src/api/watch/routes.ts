import { isObject } from "@assay/protocol";
import { ApiError } from "../../server/api-error.ts";
import type { Lab } from "../../server/lab.ts";
import { type ApiRequest, type ApiRoute, download, events, json, route } from "../../server/route.ts";
import { readAccess } from "../runs/read-wish.ts";
import type { Watches } from "./watches.ts";

function readFaults(given: unknown = []): readonly string[] {
  if (Array.isArray(given) && given.every((each) => typeof each === "string")) return given;
  throw new ApiError(400, '"faults" must be a list of texts, such as "cut=3@SendStreamingMessage".');
}

/** Routes to watch the traffic between clients and agents. */
export function watchRoutes(lab: Lab, watches: Watches): readonly ApiRoute[] {
  const of = ({ params }: ApiRequest) => watches.get(params["watch"]!);
  return [
    route("GET", "/api/watches", () => json(watches.documents)),
    route("POST", "/api/watches", async (request) => {
      const wish = await request.json();
      const { kind, faults }: { kind?: unknown; faults?: unknown } = isObject(wish) ? wish : {};
      if (kind !== "proxy" && kind !== "testbed") throw new ApiError(400, '"kind" must be "proxy" or "testbed".');
      const way = kind === "proxy" ? await lab.reach(readAccess(wish)) : undefined;
      return json((await watches.begin(way, readFaults(faults))).document, 201);
    }),
    route("GET", "/api/watches/:watch", (request) => json(of(request).document)),
    route("DELETE", "/api/watches/:watch", async ({ params }) => {
      await watches.end(params["watch"]!);
      return json({ ended: true });
    }),
    route("GET", "/api/watches/:watch/events", (request) => events(of(request).log.read(request.signal))),
    route("GET", "/api/watches/:watch/exchanges/:exchange", (request) => {
      const { exchange: id } = request.params;
      const exchange = of(request).exchanges.get(id!);
      if (!exchange)
        throw new ApiError(
          404,
          `Exchange "${id}" is no longer available.`,
          "Assay keeps the last thousand exchanges and those that break a rule.",
        );
      return json(exchange);
    }),
    route("GET", "/api/watches/:watch/har", (request) => {
      const entries = of(request).exchanges.all.map(({ entry }) => entry);
      const har = { log: { version: "1.2", creator: { name: "assay", version: lab.version }, entries } };
      return download("watch.har", "application/octet-stream", JSON.stringify(har, undefined, 2));
    }),
  ];
}
