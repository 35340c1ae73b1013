/** Reacts to a request to stop the command. */
type Stop = (signal: NodeJS.Signals) => void;
type FromLauncher = { readonly signal: NodeJS.Signals };

const signals = ["SIGINT", "SIGTERM"] as const;
const stops = new Set<Stop>();
// Ctrl-C and service managers signal the launcher and this process. The requests of both are counted,
// so that a request that arrives twice acts once.
const counts = { direct: 0, launcher: 0 };
let isLinked = false;

function take(from: keyof typeof counts, other: keyof typeof counts, signal: NodeJS.Signals): void {
  counts[from] += 1;
  if (counts[from] <= counts[other]) return;
  // Without a listener, the signal must end this process, as if it had no signal handler.
  if (stops.size === 0) process.kill(process.pid, signal);
  for (const stop of stops) stop(signal);
}

const takeDirect = (signal: NodeJS.Signals): void => take("direct", "launcher", signal);

/** Calls `stop` for each request to stop this process. Returns a function that removes the listener. */
export function onStopRequest(stop: Stop): () => void {
  if (stops.size === 0) for (const signal of signals) process.on(signal, takeDirect);
  stops.add(stop);
  return () => {
    stops.delete(stop);
    if (stops.size === 0) for (const signal of signals) process.off(signal, takeDirect);
  };
}

/** Tells the launcher how long the command may take to end. */
export function tellLauncher(timeout: number): void {
  if (isLinked && process.connected) process.send!({ timeout });
}

/** Receives stop requests from the launcher. */
export function linkToLauncher(): void {
  // A fleet examination starts this file without a launcher.
  if (!process.channel) return;
  isLinked = true;
  process.on("message", ({ signal }: FromLauncher) => take("launcher", "direct", signal));
  process.channel.unref();
}
