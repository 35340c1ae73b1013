import { startTestbed, type Testbed } from "@assay/agents";
import { agentNameIn } from "@assay/clients";
import { callSeen, GrowingMasker } from "@assay/proxy";
import { ExchangeLog, PairJudge } from "@assay/suite";
import { type Exchange, Recording } from "@assay/wire";
import { ServedRecorder } from "@assay/wire/served-recorder";
import { Watch } from "./watch.ts";

/** The agent that answers if the path names none. */
const root = "spec";

/**
 * Starts a test bed and judges each request and response. Its own agents are judged too, because some are faulty on
 * purpose.
 */
export async function watchTestbed(id: string, version: string): Promise<Watch> {
  const watch = new Watch();
  const startedAt = new Date().toISOString();
  const recorder = new ServedRecorder(new Recording({ keep: false }));
  const bed = await startTestbed({ host: "127.0.0.1", port: 0, version, recorder });
  const seen = new SeenTestbed(bed, watch);
  recorder.onBegun((begun) => watch.begun(begun));
  recorder.onExchange((exchange) => void seen.judge(exchange));
  return watch.opened({ id, kind: "testbed", url: `${bed.url}/${root}`, startedAt }, async () => {
    await bed.close();
    await seen.judged;
  });
}

/** Judges the requests to a test bed and the responses of its agents, in the order in which exchanges ended. */
class SeenTestbed {
  readonly #bed: Testbed;
  readonly #watch: Watch;
  readonly #masker = new GrowingMasker([]);
  readonly #log: ExchangeLog;
  readonly #judges = new Map<string, Promise<PairJudge | undefined>>();
  /** resolves when all exchanges so far are judged */
  judged: Promise<void> = Promise.resolve();

  constructor(bed: Testbed, watch: Watch) {
    this.#bed = bed;
    this.#watch = watch;
    this.#log = new ExchangeLog(this.#masker, (event) => watch.record(event));
  }

  judge(exchange: Exchange): void {
    this.judged = this.judged.then(() => this.#see(exchange));
  }

  async #see(exchange: Exchange): Promise<void> {
    this.#masker.learn(exchange.http.request);
    const name = await agentNameIn(exchange, this.#bed, root);
    const judge = (await this.#judgeOf(name)) ?? (await this.#judgeOf(root));
    const judged = judge?.judge(exchange, `${exchange.remote?.address}`);
    const call = judged?.request.is === "call" ? judged.request : undefined;
    this.#log.recording.finish(exchange);
    this.#log.write(exchange, {
      ...(call?.operation && { operation: call.operation }),
      ...(call && { on: call.on }),
    });
    const sight = callSeen(exchange, this.#watch.now, judged);
    this.#watch.show(this.#masker.value(sight));
  }

  #judgeOf(name: string): Promise<PairJudge | undefined> {
    const known = this.#judges.get(name) ?? this.#open(name);
    // Assay caches only existing agents, so that made-up names cannot fill the cache.
    void known.then((judge) => judge && this.#judges.set(name, known));
    return known;
  }

  async #open(name: string): Promise<PairJudge | undefined> {
    const card = name === "" ? undefined : await this.#bed.cardOf(name);
    if (!card) return undefined;
    const url = `${this.#bed.url}/${name}/.well-known/agent-card.json`;
    return PairJudge.open(card, url, { masker: this.#masker, emit() {} });
  }
}
