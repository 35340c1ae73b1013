import { once } from "node:events";
import { readAllowedSecret } from "@assay/library/connection";
import { RunFolder } from "@assay/library/runs";
import type { McpFlags } from "../commands/mcp.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { interruptible } from "../shutdown/interruption.ts";
import type { Screen } from "../terminal/screen.ts";

/** Runs `assay mcp`: serves the tools until the client closes its end or a signal arrives. */
export async function serveTools(flags: McpFlags, screen: Screen): Promise<ExitCode> {
  const allowedSecrets = (flags.allowSecrets ?? []).map((each) => readAllowedSecret(each));
  if (process.stdin.isTTY)
    throw new UsageError(
      "assay mcp talks to a coding agent, not to a terminal.",
      "Add it to the configuration of your coding agent: docs/mcp.md",
    );
  const { serveMcp } = await import("@assay/mcp");
  const { signal, stop, release } = interruptible(screen, {
    timeout: flags.shutdownTimeout,
    unfinished: () => ["running tests, with their tasks on the agents"],
  });
  const server = await serveMcp(
    {
      allowPrivate: flags.allowPrivate ?? false,
      allowHosts: flags.allowHosts ?? [],
      allowedSecrets,
      allowCommands: flags.allowCommands ?? false,
      callBudget: flags.budget,
      totalBudget: flags.totalBudget,
      folder: new RunFolder(flags.runs),
      log: (text) => screen.complain(text),
    },
    process.stdin,
    process.stdout,
  );
  void server.ended.then(stop);
  await once(signal, "abort");
  await server.close();
  release();
  // The client normally ends the server by closing its stream.
  return exitCodes.fine;
}
