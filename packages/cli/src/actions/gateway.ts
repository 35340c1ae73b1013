import { clientOptions, givenCredentials, parseAddress, withLogin, withoutParameters } from "@assay/library/connection";
import { RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import { secretsInAddress } from "@assay/wire";
import type { GatewayFlags } from "../commands/gateway.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { takesOutput, targetsOf } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";
import { testOnce } from "../testing/one-run.ts";

/** The whole command: send requests through the gateway, to Assay's own agent or to the user's, and compare. */
export async function runGateway(flags: GatewayFlags, screen: Screen): Promise<ExitCode> {
  const { testGateway } = await import("@assay/gateway");
  const reporters = await (await import("@assay/reporters")).loadReporters();
  const targets = targetsOf([...(flags.report ?? []), ...(flags.json ? ["json"] : [])], reporters);
  const people = targets.some(takesOutput) ? screen.aside() : screen;
  if (flags.direct !== undefined && flags.only)
    throw new UsageError("--only does not work with --direct", "Omit one of them.");
  const url = parseAddress(flags.through);
  const directUrl = flags.direct === undefined ? undefined : parseAddress(flags.direct);
  const given = withoutParameters(await givenCredentials(flags, screen));
  // A login in an address is for that address only.
  const { headers, secrets } = withLogin(given, screen, flags.through);
  const direct = flags.direct === undefined ? undefined : withLogin(given, screen, flags.direct);
  const { grpcThrough, callbackThrough } = flags;
  const grpc = grpcThrough === undefined ? undefined : parseAddress(grpcThrough);
  const callback = callbackThrough === undefined ? undefined : parseAddress(callbackThrough);
  const named = [url, grpc, callback, directUrl].filter((each) => each !== undefined);
  const connection = clientOptions(named, flags);
  const { code } = await testOnce({
    settings: { url: url.href, options: { url: url.href, version, connection }, gates: {}, baseline: [] },
    flags,
    targets,
    reporters,
    screen,
    people,
    folder: new RunFolder(),
    ...(!directUrl && { leaves: "the agent behind the gateway (stopped)" }),
    testAgent: ({ run, signal }) =>
      testGateway({
        run,
        version,
        through: url.href.replace(/\/$/, ""),
        upstream: { host: flags.upstreamHost, port: flags.upstreamPort },
        depth: flags.depth,
        connection,
        headers,
        secrets: [...secrets, ...(direct?.secrets ?? []), ...named.flatMap(({ href }) => secretsInAddress(href))],
        ...(directUrl &&
          direct && {
            direct: {
              direct: { url: directUrl.href, headers: direct.headers },
              text: flags.message,
              ...defined({ rude: flags.rude, trustHosts: flags.trustHosts }),
            },
          }),
        ...defined({
          grpcThrough,
          callbackThrough: callback?.href,
          allowHosts: flags.allowHosts,
          only: flags.only,
          signal,
        }),
        onListening: (at) => people.line(`An agent listens on ${at}. The gateway has to lead there.`),
      }),
  });
  return code;
}
