import { version } from "./version.ts";

/** What the test bed may be told; on a free port of this machine unless told otherwise. */
export interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  readonly publicUrl?: string;
  /** 0.05 makes every delay of the agents twenty times as short */
  readonly timeScale?: number;
  /** puts this mutant in the place of its base, or, with `@` and its path, of another agent */
  readonly mutant?: string;
  readonly profile?: "tck" | "acts";
}

/** The test bed while it serves. */
export interface ServedTestbed {
  readonly url: string;
  readonly port: number;
  /** the addresses of its agents: `${url}/spec`, `${url}/echo` … */
  readonly agents: readonly string[];
  /** ends every connection that is still open after `graceMs` milliseconds; 1000 unless given */
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
