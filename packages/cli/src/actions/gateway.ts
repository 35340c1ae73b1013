import { clientOptions, givenCredentials, parseAddress, withoutParameters } from "@assay/library/connection";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import { secretsInAddress } from "@assay/wire";
import type { GatewayFlags } from "../commands/gateway.ts";
import type { ExitCode } from "../exit.ts";
import { RunFolder } from "../recorded/run-folder.ts";
import { takesOutput, targetsOf } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";
import { testOnce } from "../testing/one-run.ts";

/** The whole command: put an agent behind the gateway, send requests through it, and compare both ends. */
export async function runGateway(flags: GatewayFlags, screen: Screen): Promise<ExitCode> {
  const { testGateway } = await import("@assay/gateway");
  const reporters = await (await import("@assay/reporters")).loadReporters();
  const targets = targetsOf([...(flags.report ?? []), ...(flags.json ? ["json"] : [])], reporters);
  const people = targets.some(takesOutput) ? screen.aside() : screen;
  const url = parseAddress(flags.through);
  const { headers, secrets } = withoutParameters(await givenCredentials(flags, screen, flags.through));
  const connection = clientOptions([url], flags);
  const { code } = await testOnce({
    settings: { url: url.href, options: { url: url.href, version, connection }, gates: {}, baseline: [] },
    flags,
    targets,
    reporters,
    screen,
    people,
    folder: new RunFolder(),
    leaves: "the agent behind the gateway (stopped)",
    testAgent: ({ run, signal }) =>
      testGateway({
        run,
        version,
        through: url.href.replace(/\/$/, ""),
        upstream: { host: flags.upstreamHost, port: flags.upstreamPort },
        depth: flags.depth,
        connection,
        headers,
        secrets: [...secrets, ...secretsInAddress(url.href)],
        ...defined({ allowHosts: flags.allowHosts, signal }),
        onListening: (at) => people.line(`An agent listens on ${at}. The gateway has to lead there.`),
      }),
  });
  return code;
}
