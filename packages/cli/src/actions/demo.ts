import { startTestbed } from "@assay/agents";
import { version } from "@assay/library/version";
import type { ExitCode } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";
import { runTest } from "./test.ts";

/** The waits of the built-in agents are there to be seen; in a test they would only be waited for. */
const timeScale = 0.02;

/** The whole command: serve the test bed to ourselves, and test one of its agents as anybody's would be. */
export async function playDemo(_flags: object, screen: Screen, test: typeof runTest = runTest): Promise<ExitCode> {
  const { line, colors } = screen;
  const testbed = await startTestbed({ host: "127.0.0.1", port: 0, version, timeScale });
  try {
    const agent = `${testbed.url}/spec`;
    line(
      `Started the Assay test bed on ${colors.bold(testbed.url)}: ${testbed.agents.length} A2A agents, from 0.1 to 1.0, over JSON-RPC, HTTP+JSON and gRPC.`,
    );
    line(colors.dim(`$ assay test ${agent} --depth full`));
    line();
    const code = await test(agent, { depth: "full", config: false }, screen);
    line();
    line("That was the built-in agent. Test your own agent the same way:");
    line("  npx a2a-assay test http://127.0.0.1:9999");
    line("To build a client, start the built-in agents. Some of them break a rule on purpose:");
    line("  npx a2a-assay serve");
    line("  npx a2a-assay test http://127.0.0.1:4040/mutants/STREAM-003.status-first");
    return code;
  } finally {
    await testbed.close(1_000);
  }
}
