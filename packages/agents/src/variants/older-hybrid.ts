import { errorTable, isObject, type JsonObject } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, secure, spec } from "../definition/divergence.ts";
import { cardByVersion, inBothForms } from "../mutation/cards.ts";
import { changeRequests, replyWith } from "../mutation/http.ts";
import { postedText } from "../mutation/requests.ts";

/** Merges the members of both formats in every security scheme. */
function merged(newer: JsonObject, older: JsonObject): JsonObject {
  const names = Object.keys(newer);
  const both = (name: string): JsonObject => ({ ...(newer[name] as JsonObject), ...(older[name] as JsonObject) });
  return Object.fromEntries(names.map((name) => [name, both(name)]));
}

/** Reads the call in a JSON-RPC body, if it is one. */
function callIn(body: string): JsonObject | undefined {
  try {
    return JSON.parse(body) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Treats methods with 0.3 names as 0.3, whatever version the request names, and reports errors as text. */
const byName =
  (serve: Handler): Handler =>
  async (request, reply) => {
    const asked = callIn(await postedText(request));
    if (!String(asked?.["method"]).includes("/")) return serve(request, reply);
    const { "a2a-version": _version, ...headers } = request.headers;
    const told = replyWith(reply, {
      send(status, answered, body) {
        const { error, ...envelope } = callIn(String(body)) ?? {};
        const texts = { ...(error as JsonObject), data: "1 validation error\nparams.message\n  Field required" };
        reply.send(status, answered, error ? JSON.stringify({ ...envelope, error: texts }) : body);
      },
    });
    return changeRequests(() => ({ headers }))(serve)(request, told);
  };

/** Treats a request without a version as 0.3 over HTTP+JSON too, where a path of 1.0 is unknown. */
const byHeader =
  (serve: Handler): Handler =>
  (request, reply) => {
    const isPathOf10 = /\/(tasks|message:|extendedAgentCard)/.test(request.path) && !request.path.includes("/v1/");
    if (!isPathOf10 || request.headers["a2a-version"]) return serve(request, reply);
    const error = { code: errorTable.MethodNotFound.code, message: "Not found" };
    return reply.send(404, { "Content-Type": "application/json" }, JSON.stringify(error));
  };

/** Agents that serve 0.3 beside 1.0, as the SDKs do. */
export const hybridVariants: readonly Divergence[] = [
  // A39: JS 1.3 with its 0.3 layer.
  spec("card-by-version", "Clients that do not ask for 1.0 get the card in the format of 0.3.", {
    http: cardByVersion(({ additionalInterfaces, ...card }) => ({
      ...card,
      // That list does not repeat the main pair.
      additionalInterfaces: (additionalInterfaces as JsonObject[]).filter(({ transport }) => transport !== "JSONRPC"),
    })),
  }),

  // A39: Python 1.1 with its 0.3 layer serves one document, whatever version the client requests.
  secure("card-for-everybody", "One card has every member in the formats of 1.0 and of 0.3.", {
    card: (card) => {
      const older = inBothForms(card);
      const [newerSchemes, olderSchemes] = [card["securitySchemes"], older["securitySchemes"]];
      return {
        ...older,
        ...card,
        ...(isObject(newerSchemes) &&
          isObject(olderSchemes) && {
            securitySchemes: merged(newerSchemes as JsonObject, olderSchemes as JsonObject),
          }),
      };
    },
  }),

  // 8.2: an agent may support older clients without declaring it on the card.
  spec("silent-about-0.3", "Supports 0.3 without declaring it on its card.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).filter(
        ({ protocolVersion }) => protocolVersion === "1.0",
      ),
    }),
  }),

  // ERR-002, JSONRPC-012: Python 1.3.0 with its 0.3 layer.
  spec("method-names-decide", "Chooses the protocol version by the name of the method.", {
    http: byName,
  }),

  // §3.6.2: a request without a version is a request in 0.3. Found with an agent written from the specification.
  spec("version-before-path", "Refuses paths of 1.0 in the form of 0.3 if the request names no version.", {
    http: byHeader,
  }),
];
