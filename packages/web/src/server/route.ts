/** A route of the API. `docs/http-api.md` lists all of them. */
export interface ApiRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /** "/api/runs/:run": a colon marks a parameter */
  readonly path: `/api/${string}`;
  answer(request: ApiRequest): ApiAnswer | Promise<ApiAnswer>;
}

export const route = (method: ApiRoute["method"], path: ApiRoute["path"], answer: ApiRoute["answer"]): ApiRoute => ({
  method,
  path,
  answer,
});

export interface ApiRequest {
  /** the decoded parameters of the path */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** parses the body as JSON; throws an ApiError if it is not JSON */
  json(): Promise<unknown>;
  /** aborts when the caller disconnects */
  readonly signal: AbortSignal;
}

export type ApiAnswer =
  | { readonly kind: "json"; readonly status: number; readonly value: unknown; readonly cookie?: string }
  /** a file to save, which the browser must never display */
  | { readonly kind: "download"; readonly name: string; readonly type: string; readonly body: string | Buffer }
  /** server-sent events, each one JSON; produced as fast as the caller reads */
  | { readonly kind: "events"; readonly events: AsyncIterable<unknown> };

export const json = (value: unknown, status = 200): ApiAnswer => ({ kind: "json", status, value });

export const download = (name: string, type: string, body: string | Buffer): ApiAnswer => ({
  kind: "download",
  name,
  type,
  body,
});

export const events = (source: AsyncIterable<unknown>): ApiAnswer => ({ kind: "events", events: source });

export interface Match {
  readonly route: ApiRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the route of a request, the accepted methods if the method is wrong, or undefined if the path is unknown. */
export function matchRoute(routes: readonly ApiRoute[], method: string, path: string): Match | string[] | undefined {
  const there = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
    return params ? [{ route, params }] : [];
  });
  const match = there.find(({ route }) => route.method === method);
  if (match) return match;
  return there.length ? there.map(({ route }) => route.method) : undefined;
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const said = given[index]!;
    if (!part.startsWith(":")) {
      if (part !== said) return undefined;
      continue;
    }
    const value = decoded(said);
    if (value === undefined || value === "") return undefined;
    params[part.slice(1)] = value;
  }
  return params;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
