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

/** What a login says of itself is kept until it ends, so it is kept short. */
const mostBytes = 64 * 1024;

export interface OidcOptions {
  readonly keys: TokenKeys;
  /** shared with other servers; in this process unless given */
  readonly logins: LoginStore | undefined;
  readonly cookieKey: SharedKey | undefined;
  readonly report: (error: unknown) => void;
}

/** Clients may call the test bed by as many names, each with a server of its own; beyond them the oldest goes. */
const mostAddresses = 16;

/** The OAuth and OpenID server of a test bed. Its library is loaded with the first request for it. */
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
    // It builds addresses from what a proxy says of them, and here we are that proxy.
    provider.proxy = true;
    provider.on("server_error", (_ctx, error) => this.#options.report(error));
    return provider;
  }

  /** Cookies of one server are good on every other that shares its store. */
  #cookieSecret(): Promise<string> {
    const { cookieKey = (make) => make() } = this.#options;
    this.#cookieKey ??= cookieKey(async () => randomBytes(32).toString("base64url")).catch((error: unknown) => {
      // A store that was not there may be there the next time.
      this.#cookieKey = undefined;
      throw error;
    });
    return this.#cookieKey;
  }
}

/** The request as the library takes it: mounted below the test bed, at the address the client knows, its body read. */
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
  // It writes no reason phrase where the version has none.
  message.httpVersionMajor = req.httpVersionMajor;
  message.url = `${below}${query}`;
  message.headers = {
    ...headers,
    host,
    "x-forwarded-proto": protocol.slice(0, -1),
    ...(body.length > 0 && { "content-length": String(body.length) }),
  };
  Object.assign(message, { originalUrl: `${pathname.replace(/\/$/, "")}${oidcPath}${message.url}` });
  // An incomplete one would take the connection with it.
  message.complete = true;
  message.push(body);
  message.push(null);
  return message;
}

/** The page between the question of a client and its answer, where people say who they are. */
async function logIn(provider: Provider, message: IncomingMessage, reply: WireReply, body: Buffer): Promise<void> {
  const show = (status: number, page: string) => reply.send(status, pageHeaders, page);
  const { errors } = await import("oidc-provider");
  try {
    // Only the browser that was sent here may go on here.
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
  // Those who log in agree with it to what the client asked for.
  await provider.interactionFinished(message, reply.raw, { login: { accountId: caller.name }, consent: {} });
}
