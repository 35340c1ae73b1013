import { isObject, matchRoute, requestedVersion, v01, v02, v03, v10 } from "@assay/protocol";
import { asText, brief } from "../../../answers/loose-json.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import type { ClientCall } from "../../../client/client-request.ts";
import { callName, fieldsNamed, mediaTypeOf } from "../../../client/request-fields.ts";
import { breach, broken, holds } from "../../../define/finding.ts";
import { versionsNamed } from "./service-parameters.ts";

/** In 0.1, the id may be missing, as in a notification. JSON-RPC 2.0 allows null. */
const isId = (id: unknown, { on }: ClientCall): boolean =>
  typeof id === "string" || typeof id === "number" || id === null || (id === undefined && on.dialect === "0.1");

export const envelope = passiveClientCheck("JSONRPC-022", {
  bindings: ["JSONRPC"],
  judge(call) {
    const { body, exchange } = call;
    if (!isObject(body))
      return broken("the body of a request is not a JSON object", {
        saw: brief(Buffer.from(exchange.http.request.body).toString("utf8")),
        want: "one JSON-RPC request",
        at: exchange,
      });
    const { jsonrpc, id, method, params } = body;
    const wrong =
      jsonrpc !== "2.0"
        ? `jsonrpc is ${brief(jsonrpc ?? "missing", 40)}`
        : !isId(id, call)
          ? `id is ${id === undefined ? "missing" : brief(id, 40)}`
          : typeof method !== "string"
            ? `method is ${method === undefined ? "missing" : brief(method, 40)}`
            : params !== undefined && params !== null && !isObject(params)
              ? `params is ${Array.isArray(params) ? "an array" : brief(params, 40)}`
              : undefined;
    if (wrong !== undefined)
      return broken(`${callName(call)}: ${wrong}`, {
        saw: brief(body),
        want: 'jsonrpc "2.0", an id, a method, params by name',
        at: exchange,
      });
    const type = mediaTypeOf(call);
    if (type !== "application/json")
      return broken("the Content-Type of a request is not application/json", {
        saw: type || "no Content-Type",
        want: "application/json",
        at: exchange,
      });
    if (id !== null) return holds();
    return breach("null-id", `${callName(call)}: id is null`, {
      saw: brief(body),
      want: "a string or integer id",
      at: exchange,
    });
  },
});

export const labelled = passiveClientCheck("REST-014", {
  bindings: ["HTTP+JSON"],
  judge(call) {
    const { method, body } = call.exchange.http.request;
    // A client may send JSON-RPC to an interface of HTTP+JSON. Such a path has no operation.
    if (call.operation === undefined) return undefined;
    // REST-019 judges a body where none belongs.
    if (call.on.dialect !== "1.0" || method !== "POST" || body.length === 0) return undefined;
    const type = mediaTypeOf(call);
    if (type === "application/a2a+json") return holds();
    if (type === "application/json")
      return breach("plain-json-label", "a request has the Content-Type application/json, as in 1.0.0", {
        saw: type,
        want: "application/a2a+json",
      });
    return broken(`a request has ${type ? `the Content-Type ${type}` : "no Content-Type"}`, {
      saw: type || "no Content-Type",
      want: "application/a2a+json",
    });
  },
});

/** Recognises snake_case spellings of A2A query names, which are camelCase. Other names do not matter. */
const snakeOf = /^[a-z]+(?:_[a-z]+)+$/;
const camel = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const known = [
  "historyLength",
  "pageSize",
  "pageToken",
  "contextId",
  "statusTimestampAfter",
  "includeArtifacts",
  "taskId",
];

export const byPathAndQuery = passiveClientCheck("REST-019", {
  bindings: ["HTTP+JSON"],
  judge(call) {
    const { method, url, body } = call.exchange.http.request;
    if (method !== "GET" && method !== "DELETE") return undefined;
    if (body.length)
      return broken(`${callName(call)} by ${method} has a body`, {
        saw: brief(Buffer.from(body).toString("utf8")),
        want: "only path and query",
      });
    const wrong = [...new URL(url).searchParams.keys()].find(
      (name) => snakeOf.test(name) && known.includes(camel(name)),
    );
    if (wrong === undefined) return holds();
    return broken(`${callName(call)} has ${wrong} in its query`, { saw: wrong, want: camel(wrong) });
  },
});

// Addressing in 0.3, 0.2 and 0.1: methods, paths, resource names and headers.

/** Returns the version that defines a method. */
const versionWith = (method: string): string | undefined =>
  [v10, v03, v02, v01].find((dialect) => dialect.operationOf(method))?.version;

const byMethods = (id: string) =>
  passiveClientCheck(id, {
    bindings: ["JSONRPC"],
    judge(call) {
      if (call.operation) return holds();
      const other = versionWith(call.method);
      // An unknown method may belong to an extension.
      if (other === undefined) return undefined;
      return broken(`the client calls "${call.method}", a method of ${other}`, {
        saw: brief(call.method),
        want: `a method of ${call.on.dialect}`,
      });
    },
  });

const byPaths = passiveClientCheck("V03-REST-007", {
  bindings: ["HTTP+JSON"],
  judge(call) {
    if (call.operation) return holds();
    if (!isNewerPath(call)) return undefined;
    return broken(`the client requests "${call.method}", a path of 1.0`, {
      saw: brief(call.method),
      want: "the same path under /v1",
    });
  },
});

function isNewerPath({ method }: ClientCall): boolean {
  const [verb = "", below = ""] = method.split(" ", 2);
  try {
    return "operation" in (matchRoute(verb, below) ?? {});
  } catch {
    // A path that cannot be decoded is not a 1.0 path.
    return false;
  }
}

const byResources = passiveClientCheck("V03-GRPC-003", {
  bindings: ["GRPC"],
  judge(call) {
    const name = asText(call.written?.["name"]) ?? asText(call.written?.["parent"]);
    if (name === undefined || call.operation === "SendMessage") return undefined;
    if (/^tasks\/[^/]+/.test(name)) return holds();
    return broken(`${callName(call)} does not use a resource name`, { saw: brief(name), want: "tasks/{id}" });
  },
});

const asJson = passiveClientCheck("V03-REST-006", {
  bindings: ["HTTP+JSON"],
  judge(call) {
    if (call.exchange.http.request.body.length === 0) return undefined;
    const type = mediaTypeOf(call);
    if (type === "application/json") return holds();
    return broken(`a request has ${type ? `the Content-Type ${type}` : "no Content-Type"}`, {
      saw: type || "no Content-Type",
      want: "application/json",
    });
  },
});

const ownVersion = passiveClientCheck("V03-VER-006", {
  judge(call) {
    // A request in another version shows that by its method.
    if (!call.operation) return undefined;
    const wrong = versionsNamed(call).find((each) => requestedVersion(each) !== "0.3");
    if (wrong === undefined) return holds();
    return broken(`${callName(call)} is a 0.3 request but names another version`, {
      saw: `A2A-Version: ${brief(wrong)}`,
      want: "0.3, or no A2A-Version",
    });
  },
});

const olderHeader = passiveClientCheck("V03-EXT-002", {
  bindings: ["JSONRPC", "HTTP+JSON"],
  judge(call) {
    if (fieldsNamed(call, "X-A2A-Extensions").length) return holds();
    const newer = fieldsNamed(call, "A2A-Extensions");
    if (!newer.length) return undefined;
    return broken("the client requests extensions only with the header name of 1.0", {
      saw: `A2A-Extensions: ${brief(newer.join(", "))}`,
      want: "X-A2A-Extensions",
    });
  },
});

export const olderClientChecks = [
  byMethods("V03-JSONRPC-001"),
  byMethods("V01-JSONRPC-001"),
  byPaths,
  byResources,
  asJson,
  ownVersion,
  olderHeader,
];
