import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A server of the comparison in a separate process. */
export interface Contestant {
  readonly url: string;
  heap(): Promise<number>;
  /** milliseconds of processor time that it has used so far, independent of the load of the machine */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

/** Returns the path of a server's script. */
export const scriptOf = (server: string): string => fileURLToPath(new URL(`./servers/${server}.js`, import.meta.url));

/** Starts a server. `BENCH_NODE_OPTIONS` is for profiles: `--cpu-prof`, `--heap-prof`. */
export async function launch(server: string): Promise<Contestant> {
  const execArgv = ["--expose-gc", ...(process.env["BENCH_NODE_OPTIONS"]?.split(" ") ?? [])];
  const child = fork(scriptOf(server), [], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const { url } = await answerOf<{ url: string }>(child);
  const ask = async (question: "heap" | "cpu"): Promise<number> => {
    child.send(question);
    return (await answerOf<{ answer: number }>(child)).answer;
  };
  return {
    url,
    heap: () => ask("heap"),
    cpu: () => ask("cpu"),
    async stop() {
      child.disconnect();
      await new Promise((resolve) => child.once("exit", resolve));
    },
  };
}

const answerOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the server ended with ${code}`));
    child.once("exit", ended).once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
