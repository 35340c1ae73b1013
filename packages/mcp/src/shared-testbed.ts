import { type ServedTestbed, serveTestbed } from "@assay/library";

/** The test bed of the server: started by the first call that needs it, and stopped with the server. */
export class SharedTestbed {
  #served: Promise<ServedTestbed> | undefined;

  /** Starts it on a free port of 127.0.0.1, with short delays. */
  open(): Promise<ServedTestbed> {
    this.#served ??= serveTestbed({ timeScale: 0.2 });
    return this.#served;
  }

  async close(): Promise<void> {
    await (await this.#served)?.close(0);
  }
}
