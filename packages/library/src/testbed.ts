import { version } from "./version.ts";

/** Options of the test bed (default: a free port on 127.0.0.1). */
export interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  readonly publicUrl?: string;
  /** factor for every delay of the agents: 0.05 makes them twenty times shorter */
  readonly timeScale?: number;
  /** replaces its base agent with this mutant, or another agent if `@` and its path follow */
  readonly mutant?: string;
  readonly profile?: "tck" | "acts";
}

/** The running test bed. */
export interface ServedTestbed {
  readonly url: string;
  readonly port: number;
  /** the addresses of its agents: `${url}/spec`, `${url}/echo` … */
  readonly agents: readonly string[];
  /** closes the connections that are still open after `graceMs` milliseconds (default: 1000) */
  close(graceMs?: number): Promise<void>;
}

/** Starts the agents of `assay serve` inside this process. */
export async function serveTestbed(options: ServeOptions = {}): Promise<ServedTestbed> {
  const { startTestbed } = await import("@assay/agents");
  const { profile, port = 0, host = "127.0.0.1", ...same } = options;
  const {
    url,
    port: taken,
    agents,
    close,
  } = await startTestbed({
    ...same,
    host,
    port,
    version,
    ...(profile && { profile: { profile } }),
  });
  return {
    url,
    port: taken,
    agents: agents.map(({ path }) => `${url}/${path}`),
    close: (graceMs = 1_000) => close(graceMs),
  };
}
