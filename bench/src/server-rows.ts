import { grpcV10 } from "@assay/protocol/grpc";
import type { Contestant } from "./contestant.ts";
import { type GrpcLoad, grpcLoad } from "./grpc-load.ts";
import { median } from "./interleave.ts";
import { bytesOf, hammer, type Spec, streams } from "./load.ts";

/** One measurement that every server of a comparison gets. */
export interface Row {
  readonly title: string;
  readonly unit: string;
  /** larger numbers are better */
  readonly more: boolean;
  /** slices before the first measurement, for a row that runs much code of its own */
  readonly warmUpSlices?: number;
  /** Prepares one server. `play` measures once; for a rate it takes about the given time. */
  prepare(contestant: Contestant): Promise<Playing>;
}

export interface Playing {
  play(sliceMs: number): Promise<Turn>;
  done?(): void;
}

/** The result of one turn: the compared value, and the number of requests, streams or calls. */
export interface Turn {
  readonly value: number;
  readonly units: number;
}

export const connections = 32;

export const message = (text: string) => ({ message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }] } });

export const rpc = (method: string, params: unknown): Spec => ({
  verb: "POST",
  path: "/spec",
  body: { jsonrpc: "2.0", id: 1, method, params },
});

const restSend = (text: string, action = "send"): Spec => ({
  verb: "POST",
  path: `/spec/message:${action}`,
  body: message(text),
});

async function taskOf({ url }: Contestant): Promise<string> {
  const response = await fetch(`${url}/message:send`, {
    method: "POST",
    headers: { "A2A-Version": "1.0", "Content-Type": "application/json" },
    body: JSON.stringify(message("task-lifecycle hello")),
  });
  return ((await response.json()) as { task: { id: string } }).task.id;
}

/** A row of short requests, which wrk can send, too. */
export interface RequestRow extends Row {
  specFor(contestant: Contestant): Promise<Spec>;
}

const requests = (title: string, specFor: RequestRow["specFor"]): RequestRow => ({
  title,
  unit: "requests/s",
  more: true,
  specFor,
  async prepare(contestant) {
    const bytes = bytesOf(await specFor(contestant));
    return {
      async play(sliceMs) {
        const load = await hammer(contestant.url, bytes, connections, sliceMs);
        return { value: load.requests / load.seconds, units: load.requests };
      },
    };
  },
});

export const requestRows: readonly RequestRow[] = [
  requests("echo, JSON-RPC", async () => rpc("SendMessage", message("message-only hello"))),
  requests("echo, HTTP+JSON", async () => restSend("message-only hello")),
  requests("task-lifecycle, JSON-RPC", async () => rpc("SendMessage", message("task-lifecycle hello"))),
  requests("task-lifecycle, HTTP+JSON", async () => restSend("task-lifecycle hello")),
  requests("get, JSON-RPC", async (contestant) => rpc("GetTask", { id: await taskOf(contestant) })),
  requests("get, HTTP+JSON", async (contestant) => ({
    verb: "GET",
    path: `/spec/tasks/${await taskOf(contestant)}`,
  })),
];

/** Rows whose requests are measured one by one. */
export const latencyRows = requestRows.filter(({ title }) => /^(?:echo|get), JSON-RPC$/.test(title));

/** Repeats a call for the length of a turn, at least once; returns the times. */
async function repeated(sliceMs: number, once: () => Promise<number>): Promise<number[]> {
  const until = performance.now() + sliceMs;
  const times: number[] = [];
  do times.push(await once());
  while (performance.now() < until);
  return times;
}

const streamRow = (count: number, chunks: number, spec: Spec, binding: string, warmUpSlices?: number): Row => ({
  title: `${count === 1 ? "one stream" : `${count} streams at once`}, ${chunks} chunks, ${binding}`,
  unit: "ms",
  more: false,
  ...(warmUpSlices !== undefined && { warmUpSlices }),
  async prepare({ url }) {
    const bytes = bytesOf(spec);
    return {
      async play(sliceMs) {
        const times = await repeated(sliceMs, () => streams(url, bytes, count));
        return { value: median(times), units: count * times.length };
      },
    };
  },
});

export const streamRows: readonly Row[] = [
  streamRow(1, 1000, rpc("SendStreamingMessage", message("chunks 1000 16")), "JSON-RPC"),
  streamRow(1, 1000, restSend("chunks 1000 16", "stream"), "HTTP+JSON"),
  // V8 compiles the code of a connection and a stream until about 5,000 streams have ended.
  streamRow(50, 20, rpc("SendStreamingMessage", message("chunks 20 16")), "JSON-RPC", 16),
  streamRow(500, 20, rpc("SendStreamingMessage", message("chunks 20 16")), "JSON-RPC"),
];

/** Rows for servers that wait for the disk with each event. Longer streams would take minutes there. */
export const storeRows: readonly Row[] = [
  ...requestRows.filter(({ title }) => /^(?:task-lifecycle|get), JSON-RPC$/.test(title)),
  streamRow(1, 100, rpc("SendStreamingMessage", message("chunks 100 16")), "JSON-RPC"),
  streamRow(50, 5, rpc("SendStreamingMessage", message("chunks 5 16")), "JSON-RPC"),
];

type GrpcPlay = (load: GrpcLoad, sliceMs: number) => Promise<Turn>;

const grpcRow = (
  title: string,
  operation: "SendMessage" | "SendStreamingMessage",
  text: string,
  { play, ...measure }: Pick<Row, "unit" | "more" | "warmUpSlices"> & { readonly play: GrpcPlay },
): Row => ({
  title,
  ...measure,
  async prepare({ url }) {
    const load = await grpcLoad(url, grpcV10.path(operation)!, grpcV10.writeRequest(operation, message(text)));
    return { play: (sliceMs) => play(load, sliceMs), done: () => load.close() };
  },
});

const perSecond = {
  unit: "calls/s",
  more: true,
  async play(load: GrpcLoad, sliceMs: number): Promise<Turn> {
    const { calls, seconds } = await load.hammer(sliceMs);
    return { value: calls / seconds, units: calls };
  },
};

const oneAfterTheOther = {
  unit: "ms",
  more: false,
  async play(load: GrpcLoad, sliceMs: number): Promise<Turn> {
    const times = await repeated(sliceMs, () => load.once());
    return { value: median(times), units: times.length };
  },
};

export const grpcRows: readonly Row[] = [
  grpcRow("echo, gRPC", "SendMessage", "message-only hello", perSecond),
  grpcRow("task-lifecycle, gRPC", "SendMessage", "task-lifecycle hello", { ...perSecond, warmUpSlices: 12 }),
  grpcRow("one stream, 1000 chunks, gRPC", "SendStreamingMessage", "chunks 1000 16", oneAfterTheOther),
];
