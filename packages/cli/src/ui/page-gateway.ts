import { clientOptions } from "@assay/library/connection";
import type { RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import type { GatewayWish, StartedRun } from "@assay/web";
import { secretsInAddress } from "@assay/wire";
import { startedRun } from "./started-run.ts";
import { wayTo } from "./way-to.ts";

/** The defaults of `assay gateway`. */
const usual = { port: 4060, text: "Reply with the word OK." };

/** Starts a test of a gateway for the page, like `assay gateway` at depth quick. */
export async function pageGateway(wish: GatewayWish, folder: RunFolder, signal: AbortSignal): Promise<StartedRun> {
  const through = await wayTo(wish);
  // The login applies to both addresses, as on the command line.
  const direct = wish.direct === undefined ? undefined : await wayTo({ ...wish, url: wish.direct });
  const ways = [through, ...(direct ? [direct] : [])];
  const { testGateway } = await import("@assay/gateway");
  return startedRun(folder, (run) =>
    testGateway({
      run,
      version,
      through: through.url.href.replace(/\/$/, ""),
      upstream: { host: "127.0.0.1", port: wish.upstreamPort ?? usual.port },
      depth: "quick",
      connection: clientOptions(
        ways.map(({ url }) => url),
        {},
      ),
      headers: through.headers,
      secrets: ways.flatMap(({ url, secrets }) => [...secrets, ...secretsInAddress(url.href)]),
      signal,
      ...defined({
        direct: direct && { direct: { url: direct.url.href, headers: direct.headers }, text: usual.text },
      }),
    }),
  );
}
