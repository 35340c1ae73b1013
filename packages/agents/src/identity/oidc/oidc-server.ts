import { randomBytes } from "node:crypto";
import { IncomingMessage, type ServerResponse } from "node:http";
import type { WireReply, WireRequest } from "@assay/wire/server";
import type Provider from "oidc-provider";
import type { SharedKey } from "../../card/card-signer.ts";
import { pageHeaders, unframed } from "../html.ts";
import { issuerAt, oidcPath } from "../places.ts";
import { secureCallers } from "../secure-callers.ts";
import type { TokenKeys } from "../token-keys.ts";
import { configurationAt } from "./configuration.ts";
import { adapterOn, type LoginStore } from "./logins.ts";
import { MemoryLogins } from "./memory-logins.ts";
import { errorPage, loginPage } from "./pages.ts";

/** Limits a login request, because it is kept until the login ends. */
const mostBytes = 64 * 1024;

export interface OidcOptions {
  readonly keys: TokenKeys;
  /** shared with other servers (default: in this process) */
  readonly logins: LoginStore | undefined;
  readonly cookieKey: SharedKey | undefined;
  readonly report: (error: unknown) => void;
}

/** Maximum number of host names with their own server; beyond it the oldest is removed. */
const mostAddresses = 16;

/** The OAuth and OpenID server of a test bed. Its library is loaded with the first request. */
export class OidcServer {
  readonly #options: OidcOptions;
  readonly #logins: LoginStore;
  readonly #providers = new Map<string, Promise<Provider>>();
  #cookieKey: Promise<string> | undefined;

  constructor(options: OidcOptions) {
    this.#options = options;
    this.#logins = options.logins ?? new MemoryLogins();
  }

  async serve(request: WireRequest, reply: WireReply, baseUrl: string): Promise<void> {
    const body = await request.body();
    if (body.length > mostBytes) {
      const error = { error: "invalid_request", error_description: `the request is larger than ${mostBytes} bytes` };
      reply.send(413, { "Content-Type": "application/json", "Cache-Control": "no-store" }, JSON.stringify(error));
      return;
    }
    for (const name in unframed) reply.raw.setHeader(name, unframed[name]!);
    const provider = await this.#providerAt(baseUrl);
    const below = request.path.slice(oidcPath.length) || "/";
    const message = messageFor(request, reply.raw, { baseUrl, below, body });
    if (below.startsWith("/login/")) await logIn(provider, message, reply, body);
    else await provider.callback()(message, reply.raw);
  }

  #providerAt(baseUrl: string): Promise<Provider> {
    const known = this.#providers.get(baseUrl);
    if (known) return known;
    const made = this.#make(baseUrl);
    this.#providers.set(baseUrl, made);
    made.catch(() => this.#providers.delete(baseUrl));
    if (this.#providers.size > mostAddresses) this.#providers.delete(this.#providers.keys().next().value!);
    return made;
  }

  async #make(baseUrl: string): Promise<Provider> {
    const { default: Library, errors } = await import("oidc-provider");
    const { keys } = await this.#options.keys.privateKeys();
    const adapter = adapterOn(this.#logins, () => new errors.InvalidGrant("it was used already"));
    const parts = { adapter, jwks: { keys: keys as never }, cookieKeys: [await this.#cookieSecret()] };
    const provider = new Library(issuerAt(baseUrl), configurationAt(baseUrl, parts));
    // The library builds addresses from proxy headers, and the test bed acts as that proxy.
    provider.proxy = true;
    provider.on("server_error", (_ctx, error) => this.#options.report(error));
    return provider;
  }

  /** Cookies of one server are valid on every other that shares its store. */
  #cookieSecret(): Promise<string> {
    const { cookieKey = (make) => make() } = this.#options;
    this.#cookieKey ??= cookieKey(async () => randomBytes(32).toString("base64url")).catch((error: unknown) => {
      // An unavailable store may be available the next time.
      this.#cookieKey = undefined;
      throw error;
    });
    return this.#cookieKey;
  }
}

/**
 * Converts a request for the library: mounted below the test bed, with the client's address and its body
 * read.
 */
function messageFor(
  request: WireRequest,
  { req }: ServerResponse,
  { baseUrl, below, body }: { readonly baseUrl: string; readonly below: string; readonly body: Buffer },
): IncomingMessage {
  const { protocol, host, pathname } = new URL(baseUrl);
  const query = request.query ? `?${request.query}` : "";
  const message = new IncomingMessage(req.socket);
  const { "x-forwarded-host": _host, "transfer-encoding": _coding, ...headers } = request.headers;
  message.method = request.method;
  // It writes no reason phrase if the version has none.
  message.httpVersionMajor = req.httpVersionMajor;
  message.url = `${below}${query}`;
  message.headers = {
    ...headers,
    host,
    "x-forwarded-proto": protocol.slice(0, -1),
    ...(body.length > 0 && { "content-length": String(body.length) }),
  };
  Object.assign(message, { originalUrl: `${pathname.replace(/\/$/, "")}${oidcPath}${message.url}` });
  // An incomplete message would close the connection.
  message.complete = true;
  message.push(body);
  message.push(null);
  return message;
}

/** Serves the login page between a client's authorization request and its response. */
async function logIn(provider: Provider, message: IncomingMessage, reply: WireReply, body: Buffer): Promise<void> {
  const show = (status: number, page: string) => reply.send(status, pageHeaders, page);
  const { errors } = await import("oidc-provider");
  try {
    // Only the browser that was redirected here may continue.
    await provider.interactionDetails(message, reply.raw);
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error;
    return show(error.statusCode, errorPage(error.error, error.error_description));
  }
  if (message.method !== "POST") return show(200, loginPage(false));
  const form = new URLSearchParams(body.toString());
  const caller = secureCallers.find(
    ({ name, password }) => form.get("name") === name && form.get("password") === password,
  );
  if (!caller) return show(403, loginPage(true));
  // Logging in also grants the client's request.
  await provider.interactionFinished(message, reply.raw, { login: { accountId: caller.name }, consent: {} });
}
