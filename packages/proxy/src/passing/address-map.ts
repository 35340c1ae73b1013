import { isSameHost } from "@assay/wire";
import { isUnspecified, readGrpcAddress } from "@assay/wire/passing";

/** The target of a request: its host and path. */
export interface Destination {
  readonly origin: URL;
  readonly path: string;
  /** the client's webhook: here the agent calls the client */
  readonly isCallback?: true;
}

/** Returns the URL of a destination. For `OPTIONS *` that is the host alone (RFC 9110 §7.1). */
export const addressOf = ({ origin, path }: Destination): string =>
  path === "*" ? origin.origin : `${origin.origin}${path}`;

/** Prefix of hosts that only the card names: `/-/agents.example.com:8443/rpc`. */
const elsewhere = "/-/";

/** Path of the client's webhook, below which the proxy passes notifications on to it. */
const callbackPath = `${elsewhere}callback`;

/**
 * Maps the addresses of an agent to local ones. The host that the operator named owns all other paths. Further hosts
 * are below their own path, and only if a card names them, so this is not an open proxy.
 */
export class AddressMap {
  readonly #named: URL;
  readonly #others = new Map<string, URL>();
  readonly #callback: URL | undefined;
  #grpc: URL;
  /** our own address: `127.0.0.1:4050` */
  host = "";

  /** `callback`: the client's webhook, if notifications pass through the proxy */
  constructor(named: URL, callback?: URL) {
    this.#callback = callback;
    this.#named = new URL(named.origin);
    this.#grpc = this.#named;
  }

  /** The host for gRPC, which has no paths to separate hosts: the one in the card. */
  get grpc(): URL {
    return this.#grpc;
  }

  /** the address that clients register, so that notifications pass through the proxy */
  get callback(): string | undefined {
    return this.#callback && `http://${this.host}${callbackPath}`;
  }

  /** Returns path and query under which the agent sent a request to the client's webhook; undefined for others. */
  calledBack(address: string): string | undefined {
    if (!this.#callback || !address.startsWith(`${this.#callback.origin}/`)) return undefined;
    const { origin, pathname, search } = this.#callback;
    const [path, query] = splitQuery(address.slice(origin.length));
    const further = below(pathname, path);
    const own = search.slice(1);
    const isOwn = own === "" || query === own || query.startsWith(`${own}&`);
    if (further === undefined || !isOwn) return undefined;
    return withQuery(`${callbackPath}${further}`, own === "" ? query : query.slice(own.length + 1));
  }

  isNamed(url: URL): boolean {
    return url.protocol === this.#named.protocol && isSameHost(url, this.#named, { port: true });
  }

  /** Returns the local address for an address in a card, or undefined if there cannot be one. */
  standIn(address: string, binding: string): string | undefined {
    if (binding === "GRPC") return this.#grpcStandIn(address);
    const url = this.#read(address);
    if (!url) return undefined;
    const rest = `${url.pathname}${url.search}`;
    if (this.isNamed(url)) return `http://${this.host}${withoutSlash(rest, address)}`;
    const key = keyOf(url);
    this.#others.set(key, new URL(url.origin));
    return `http://${this.host}${elsewhere}${key}${withoutSlash(rest, address)}`;
  }

  #grpcStandIn(address: string): string | undefined {
    const read = readGrpcAddress(address);
    const origin = read && this.#callable(read);
    if (!origin) return undefined;
    if (this.#grpc !== this.#named && this.#grpc.origin !== origin.origin) return undefined;
    if (!this.isNamed(origin)) this.#grpc = new URL(origin.origin);
    const scheme = /^(https?|grpcs?|dns):\/\/\/?/i.exec(address.trim())?.[1]?.toLowerCase();
    if (scheme === undefined) return this.host;
    if (scheme === "dns") return `dns:///${this.host}`;
    return `${scheme.replace(/s$/, "")}://${this.host}`;
  }

  /** Returns the target of a path, or undefined for a host that no card names. */
  destination(path: string): Destination | undefined {
    if (!path.startsWith(elsewhere)) return { origin: this.#named, path };
    if (this.#callback && isCallback.test(path)) return webhookAt(this.#callback, path.slice(callbackPath.length));
    const [, key = "", rest = ""] = /^\/-\/([^/?]+)(.*)$/s.exec(path) ?? [];
    const origin = this.#others.get(key);
    return origin && { origin, path: rest.startsWith("/") ? rest : `/${rest}` };
  }

  /** Explains why a path has no destination. */
  refusal(path: string): string {
    return this.#callback && isCallback.test(path) ? "this path leaves the webhook" : "no card names this host";
  }

  #read(address: string): URL | undefined {
    if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
    return this.#callable(new URL(address));
  }

  /** Servers that listen on all addresses put 0.0.0.0 into their cards and mean the host of the card. */
  #callable(url: URL): URL {
    if (isUnspecified(url.hostname)) url.hostname = this.#named.hostname;
    return url;
  }
}

const isCallback = new RegExp(`^${callbackPath}(?=$|[/?])`);

/** Returns the webhook with the further path and query of a notification; undefined if the path leads out of it. */
function webhookAt({ origin, pathname, search }: URL, rest: string): Destination | undefined {
  const [further, query] = splitQuery(rest);
  // Some servers also end a segment at an encoded slash, a backslash or a semicolon.
  const segments = further.replaceAll(/%2e/gi, ".").split(/[/\\;]|%2f|%5c/i);
  if (segments.includes("..") || segments.includes(".")) return undefined;
  const path = further === "" ? pathname : `${withoutEnd(pathname)}${further}`;
  const whole = [search.slice(1), query].filter(Boolean).join("&");
  return { origin: new URL(origin), path: withQuery(path, whole), isCallback: true };
}

/** Returns the further path of an address below a webhook; undefined if it is elsewhere. */
function below(pathname: string, path: string): string | undefined {
  if (path === pathname) return "";
  const base = withoutEnd(pathname);
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}

function splitQuery(text: string): readonly [path: string, query: string] {
  const [, path = "", query = ""] = /^([^?]*)\??(.*)$/s.exec(text) ?? [];
  return [path, query];
}

const withQuery = (path: string, query: string): string => (query === "" ? path : `${path}?${query}`);

const withoutEnd = (path: string): string => path.replace(/\/$/, "");

const keyOf = (url: URL): string =>
  `${url.hostname.replace(/^\[|\]$/g, "")}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;

/** `http://host` has no path, and stays that way. */
const withoutSlash = (rest: string, address: string): string =>
  rest === "/" && !/\/$/.test(address.replace(/[?#].*$/s, "")) ? "" : rest;
