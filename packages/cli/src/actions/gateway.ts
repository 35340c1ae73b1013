import { clientOptions, givenCredentials, parseAddress, withLogin, withoutParameters } from "@assay/library/connection";
import { RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import type { ReportFormat } from "@assay/reporters";
import { secretsInAddress } from "@assay/wire";
import type { GatewayFlags } from "../commands/gateway.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { gatewayDefaults } from "../gateway-defaults.ts";
import { takesOutput, targetsOf } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";
import { testOnce } from "../testing/one-run.ts";

const formatsOfAgents: readonly ReportFormat[] = ["badge", "forecast", "forecast-badge"];

/** Flags that need Assay's own agent, and flags that need the user's. */
const ownOnly = {
  grpcThrough: "--grpc-through",
  callbackThrough: "--callback-through",
  upstreamPort: "--upstream-port",
  upstreamHost: "--upstream-host",
  only: "--only",
} as const;
const directOnly = { message: "--message", rude: "--rude" } as const;

/** Throws an error for a flag that has no effect in this mode. */
function requireCompatible(flags: GatewayFlags): void {
  const given = <Name extends keyof GatewayFlags>(names: Readonly<Record<Name, string>>): string | undefined =>
    (Object.keys(names) as Name[]).filter((name) => flags[name] !== undefined).map((name) => names[name])[0];
  const own = flags.direct === undefined ? undefined : given(ownOnly);
  if (own !== undefined) throw new UsageError(`${own} does not work with --direct`, "Omit one of them.");
  const direct = flags.direct === undefined ? given(directOnly) : undefined;
  if (direct !== undefined)
    throw new UsageError(`${direct} requires --direct`, `Add --direct <url>, or omit ${direct}.`);
}

/** Runs `assay gateway`: sends requests through the gateway to Assay's agent or the user's, and compares both ends. */
export async function runGateway(flags: GatewayFlags, screen: Screen): Promise<ExitCode> {
  const { testGateway } = await import("@assay/gateway");
  const reporters = await (await import("@assay/reporters")).loadReporters();
  const targets = targetsOf([...(flags.report ?? []), ...(flags.json ? ["json"] : [])], reporters);
  const people = targets.some(takesOutput) ? screen.aside() : screen;
  requireCompatible(flags);
  const ofAgent = targets.find(({ format }) => formatsOfAgents.includes(format));
  if (ofAgent)
    throw new UsageError(`--report ${ofAgent.format} describes an agent, not a gateway`, "Choose another format.");
  const url = parseAddress(flags.through);
  const directUrl = flags.direct === undefined ? undefined : parseAddress(flags.direct);
  const given = withoutParameters(await givenCredentials(flags, screen));
  // A login in an address is only for that address.
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
        upstream: {
          host: flags.upstreamHost ?? gatewayDefaults.upstreamHost,
          port: flags.upstreamPort ?? gatewayDefaults.upstreamPort,
        },
        depth: flags.depth,
        connection,
        headers,
        secrets: [...secrets, ...(direct?.secrets ?? []), ...named.flatMap(({ href }) => secretsInAddress(href))],
        ...(directUrl &&
          direct && {
            direct: {
              direct: { url: directUrl.href, headers: direct.headers },
              text: flags.message ?? gatewayDefaults.message,
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
