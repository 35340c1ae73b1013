import { isSameHost } from "@assay/wire";
import { isUnspecified, readGrpcAddress } from "@assay/wire/passing";

/** Where a request goes: the host that is asked, and the path there. */
export interface Destination {
  readonly origin: URL;
  readonly path: string;
}

/** The address of a destination; that of `OPTIONS *` is the host alone (RFC 9110 §7.1). */
export const addressOf = ({ origin, path }: Destination): string =>
  path === "*" ? origin.origin : `${origin.origin}${path}`;

/** Below it stand the hosts that the operator did not name, but the card did: `/-/agents.example.com:8443/rpc`. */
const elsewhere = "/-/";

/**
 * The addresses of an agent, and what stands for each of them here. The host that the operator named has our paths to
 * itself; others are reached below a path of their own, and only if a card named them: this is no way to anywhere.
 */
export class AddressMap {
  readonly #named: URL;
  readonly #others = new Map<string, URL>();
  #grpc: URL;
  /** where we are reached: `127.0.0.1:4050` */
  host = "";

  constructor(named: URL) {
    this.#named = new URL(named.origin);
    this.#grpc = this.#named;
  }

  /** The host of gRPC, which has no paths to tell hosts apart: the one that the card names. */
  get grpc(): URL {
    return this.#grpc;
  }

  isNamed(url: URL): boolean {
    return url.protocol === this.#named.protocol && isSameHost(url, this.#named, { port: true });
  }

  /** What stands here for an address that a card names; undefined where nothing can. */
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

  /** Where a request for this path goes; undefined below a host that no card named. */
  destination(path: string): Destination | undefined {
    if (!path.startsWith(elsewhere)) return { origin: this.#named, path };
    const [, key = "", rest = ""] = /^\/-\/([^/?]+)(.*)$/s.exec(path) ?? [];
    const origin = this.#others.get(key);
    return origin && { origin, path: rest.startsWith("/") ? rest : `/${rest}` };
  }

  #read(address: string): URL | undefined {
    if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
    return this.#callable(new URL(address));
  }

  /** Servers that listen everywhere write 0.0.0.0 into their cards, and mean the host that the card comes from. */
  #callable(url: URL): URL {
    if (isUnspecified(url.hostname)) url.hostname = this.#named.hostname;
    return url;
  }
}

const keyOf = (url: URL): string =>
  `${url.hostname.replace(/^\[|\]$/g, "")}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;

/** `http://host` is written without a path, and stays so. */
const withoutSlash = (rest: string, address: string): string =>
  rest === "/" && !/\/$/.test(address.replace(/[?#].*$/s, "")) ? "" : rest;
