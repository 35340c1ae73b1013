import type { WireReply, WireRequest } from "@assay/wire/server";
import { howToInstall, isOidcInstalled } from "./library.ts";
import type { OidcOptions, OidcServer } from "./oidc-server.ts";

/** Serves the paths of the OAuth server at an address of the test bed. */
export type OidcMount = (request: WireRequest, reply: WireReply, baseUrl: string) => Promise<void>;

/** Loads the OAuth server with its first request; most test beds never get one. */
export function mountOidc(options: OidcOptions): OidcMount {
  let server: Promise<OidcServer> | undefined;
  return async (request, reply, baseUrl) => {
    if (!isOidcInstalled()) {
      const body = { error: "temporarily_unavailable", error_description: howToInstall };
      reply.send(501, { "Content-Type": "application/json", "Cache-Control": "no-store" }, JSON.stringify(body));
      return;
    }
    server ??= import("./oidc-server.ts").then(({ OidcServer }) => new OidcServer(options));
    await (await server).serve(request, reply, baseUrl);
  };
}
