import { createInterface } from "node:readline";

/** An error as the SDK reported it (docs/drivers.md). */
export interface SurfacedBySdk {
  readonly kind: "protocol" | "transport" | "unsupported";
  readonly type?: string;
  readonly code?: number;
  readonly message: string;
}

export interface OpTarget {
  readonly card: string;
  readonly binding: string;
  readonly version: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a result, or yields events as they arrive. `signal` aborts when the driver should close the stream. */
// biome-ignore lint/suspicious/noExplicitAny: params are in the JSON of the SDK's own types
export type Op = (target: OpTarget, params: any, signal: AbortSignal) => Promise<unknown> | AsyncIterable<unknown>;

export interface ClientProgram {
  readonly sdk: { readonly name: string; readonly version: string };
  readonly model: "1.0" | "0.3";
  readonly ops: Readonly<Record<string, Op>>;
  surfaced(error: unknown): SurfacedBySdk;
}

/** Thrown for an operation that the SDK has no method for. */
export class UnsupportedBySdk extends Error {
  override readonly name = "UnsupportedBySdk";
}

/** Reads requests from stdin, one per line, and writes each answer to stdout when it is ready. */
export function runClient({ sdk, model, ops, surfaced }: ClientProgram): void {
  const write = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer)}\n`);
  const streams = new Map<string, AbortController>();

  const answer = async (id: string, name: string, target: OpTarget, params: unknown): Promise<void> => {
    const op = Object.hasOwn(ops, name) ? ops[name] : undefined;
    if (!op) throw new UnsupportedBySdk(`The SDK has no method for ${name}.`);
    const hangUp = new AbortController();
    streams.set(id, hangUp);
    try {
      const given = op(target, params, hangUp.signal);
      if (!(Symbol.asyncIterator in given)) return write({ id, result: (await given) ?? {} });
      for await (const event of given) {
        write({ id, event });
        if (hangUp.signal.aborted) break;
      }
      write({ id, done: true });
    } catch (error) {
      // SDKs report a closed stream in different ways, so an error here is the expected end.
      if (hangUp.signal.aborted) write({ id, done: true });
      else throw error;
    } finally {
      streams.delete(id);
    }
  };

  const take = async (line: string): Promise<void> => {
    const { id, op, target, params } = JSON.parse(line) as {
      id: string;
      op: string;
      target: OpTarget;
      params: { id?: string };
    };
    if (op === "close") {
      streams.get(params.id ?? "")?.abort();
      return write({ id, result: {} });
    }
    try {
      await answer(id, op, target, params);
    } catch (error) {
      const said =
        error instanceof UnsupportedBySdk ? { kind: "unsupported", message: error.message } : surfaced(error);
      write({ id, error: said });
    }
  };

  const lines = createInterface(process.stdin);
  lines.on("line", (line) => {
    take(line).catch((error: unknown) => write({ id: null, error: { kind: "driver", message: String(error) } }));
  });
  lines.on("close", () => process.exit(0));
  process.on("unhandledRejection", (error) => process.stderr.write(`${String(error)}\n`));
  write({ ready: true, sdk, model });
}
