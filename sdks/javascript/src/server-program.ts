/** Reports to the matrix that all agents are ready. Exits when stdin ends, or on SIGTERM. */
export function serverReady(
  sdk: { readonly name: string; readonly version: string },
  agents: Readonly<Record<string, string>>,
): void {
  const end = (): void => process.exit(0);
  process.on("SIGTERM", end);
  process.stdin.on("end", end).on("close", end).resume();
  process.on("unhandledRejection", (error) => process.stderr.write(`${String(error)}\n`));
  process.stdout.write(`${JSON.stringify({ ready: true, sdk, agents })}\n`);
}

/** Returns the port of `--port` (default: 0). */
export const portAsked = (): number => {
  const at = process.argv.indexOf("--port");
  return at === -1 ? 0 : Number(process.argv[at + 1]);
};
