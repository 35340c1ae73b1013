import { randomUUID } from "node:crypto";
import type { WatchDocument } from "@assay/viewer/documents";
import { ApiError } from "../../server/api-error.ts";
import type { AgentWay } from "../talk/agent-way.ts";
import type { Watch } from "./watch.ts";
import { watchAgent } from "./watch-proxy.ts";
import { watchTestbed } from "./watch-testbed.ts";

/** The maximum number of open watches. Each uses its own port. */
const most = 8;

/** The open watches of this server. */
export class Watches {
  readonly #version: string;
  readonly #open = new Map<string, Watch>();

  constructor(version: string) {
    this.#version = version;
  }

  get documents(): readonly WatchDocument[] {
    return [...this.#open.values()].map(({ document }) => document);
  }

  /** Starts a proxy for an agent, with faults if there are any, or the test bed if there is no agent. */
  async begin(way?: AgentWay, faults: readonly string[] = []): Promise<Watch> {
    if (this.#open.size >= most)
      throw new ApiError(409, `The maximum of ${most} watches is open.`, "End one of them first.");
    const id = randomUUID();
    const watch = await (way ? watchAgent(id, way, this.#version, faults) : watchTestbed(id, this.#version));
    this.#open.set(id, watch);
    return watch;
  }

  get(id: string): Watch {
    const watch = this.#open.get(id);
    if (!watch) throw new ApiError(404, "This watch has ended.", "Start a new one on the Watch page.");
    return watch;
  }

  async end(id: string): Promise<void> {
    const watch = this.get(id);
    this.#open.delete(id);
    await watch.close();
  }

  async close(): Promise<void> {
    for (const id of [...this.#open.keys()]) await this.end(id);
  }
}
