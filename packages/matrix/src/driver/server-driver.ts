import { isLoopback, isObject, jsonObjectIn } from "@assay/protocol";
import { DriverDied } from "./client-driver.ts";
import type { DriverDescription } from "./description.ts";
import { DriverProcess, type ProgramEnd } from "./program.ts";
import { readReady, type SdkName } from "./ready.ts";

const readyMs = 90_000;

/** A running server of a driver. */
export class ServerDriver {
  readonly sdk: SdkName;
  /** addresses by the names of agents: echo, spec, full */
  readonly agents: Readonly<Record<string, string>>;
  readonly #process: DriverProcess;
  #end: ProgramEnd | undefined;

  private constructor(sdk: SdkName, agents: Readonly<Record<string, string>>, program: DriverProcess) {
    this.sdk = sdk;
    this.agents = agents;
    this.#process = program;
  }

  /** Starts it; rejects with DriverDied. */
  static async start(
    driver: DriverDescription,
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<ServerDriver> {
    let server: ServerDriver | undefined;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => refuse(`it was not ready within ${readyMs / 1000} s`), readyMs);
      const refuse = (says: string): void => {
        clearTimeout(timer);
        const { stderr } = program;
        void program.stop().then(() => reject(new DriverDied(driver.name, "server", { says, stderr })));
      };
      const program = new DriverProcess({
        folder: driver.folder,
        command: [...driver.server!.command, "--port", "0"],
        env,
        onLine: (line) => {
          if (server) return;
          const sdk = readReady(line, driver);
          if (typeof sdk === "string") return refuse(sdk);
          const agents = agentsIn(line);
          if (typeof agents === "string") return refuse(agents);
          clearTimeout(timer);
          server = new ServerDriver(sdk, agents, program);
          resolve(server);
        },
        onEnd: (end) => {
          clearTimeout(timer);
          if (server) server.#end = end;
          reject(new DriverDied(driver.name, "server", end));
        },
      });
    });
  }

  /** Returns how the program exited, or undefined while it runs. */
  get end(): ProgramEnd | undefined {
    return this.#end;
  }

  get isDead(): boolean {
    return this.#end !== undefined;
  }

  /** Closes its stdin; returns true if that made it exit. */
  endsBySelf(): Promise<boolean> {
    return this.#process.stop();
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }
}

/** Reads the addresses from a server's ready line, or what is wrong with them. */
function agentsIn(line: string): Readonly<Record<string, string>> | string {
  const agents = jsonObjectIn(line)?.["agents"];
  if (!isObject(agents)) return "its first line has no agents";
  const wrong = Object.entries(agents).find(
    ([, url]) => typeof url !== "string" || !URL.canParse(url) || !isLoopback(new URL(url).hostname),
  );
  if (wrong) return `agents.${wrong[0]}: expected an address on 127.0.0.1, found ${JSON.stringify(wrong[1])}`;
  const missing = ["echo", "spec"].find((name) => !(name in agents));
  return missing === undefined ? (agents as Readonly<Record<string, string>>) : `agents.${missing} is missing`;
}
