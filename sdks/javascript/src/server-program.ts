/** Tells the matrix that every agent can answer, and ends with its stdin or on SIGTERM. */
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

/** The port of `--port`; 0 unless given. */
export const portAsked = (): number => {
  const at = process.argv.indexOf("--port");
  return at === -1 ? 0 : Number(process.argv[at + 1]);
};
