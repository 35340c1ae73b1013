import { isObject, type JsonObject, type JsonValue, jsonObjectIn } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import { type SurfacedError, type SurfacedErrorKind, surfacedErrorKinds } from "@assay/scenarios";
import type { BindingName, DriverRole, MatrixVersion } from "../document/document.ts";
import type { DriverDescription } from "./description.ts";
import { DriverProcess, type ProgramEnd } from "./program.ts";
import { readReady, type SdkName } from "./ready.ts";

export const driverOps = [
  "card",
  "extendedCard",
  "send",
  "stream",
  "get",
  "list",
  "cancel",
  "subscribe",
  "push.create",
  "push.get",
  "push.list",
  "push.delete",
] as const;
export type DriverOp = (typeof driverOps)[number];

export interface DriverTarget {
  readonly card: string;
  readonly binding: BindingName;
  readonly version: MatrixVersion;
  readonly headers: Readonly<Record<string, string>>;
}

export interface DriverRequest {
  readonly op: DriverOp;
  readonly target: DriverTarget;
  /** in the format of the driver's model */
  readonly params: JsonValue;
  readonly timeoutMs: number;
  /** hang up after this many events */
  readonly leaveAfter?: number;
  /** resolves when no further event can come: then the driver is late */
  readonly over?: (signal: AbortSignal) => Promise<void>;
}

/** A driver's answer, in the format of its model. */
export interface RawDriverAnswer {
  readonly result?: JsonValue;
  readonly events: readonly JsonValue[];
  readonly done?: true;
  readonly error?: SurfacedError;
  readonly late?: true;
}

/** The program exited, or did not start. */
export class DriverDied extends AssayError {
  readonly role: DriverRole;
  readonly stderr: string;

  constructor(driver: string, role: DriverRole, { says, stderr }: ProgramEnd) {
    super({ code: "driver-died", message: `${driver}: ${says}` });
    this.role = role;
    this.stderr = stderr;
  }
}

interface Waiting {
  readonly events: JsonValue[];
  readonly leaveAfter: number;
  result?: JsonValue;
  settle(answer: Omit<RawDriverAnswer, "events">): void;
  fail(error: DriverDied): void;
}

/** Startup timeout: some programs load a virtual machine first. */
const readyMs = 60_000;
/** Timeout for hanging up. */
const closeMs = 200;

/** A running client of a driver. */
export class ClientDriver {
  readonly sdk: SdkName;
  readonly #name: string;
  readonly #process: DriverProcess;
  readonly #waiting: Map<string, Waiting>;
  #asked = 0;
  #end: ProgramEnd | undefined;

  private constructor(name: string, sdk: SdkName, program: DriverProcess, waiting: Map<string, Waiting>) {
    this.#name = name;
    this.sdk = sdk;
    this.#process = program;
    this.#waiting = waiting;
  }

  /** Starts it; rejects with DriverDied. */
  static async start(
    driver: DriverDescription,
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<ClientDriver> {
    const { name, folder } = driver;
    const waiting = new Map<string, Waiting>();
    let client: ClientDriver | undefined;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => refuse(`it was not ready within ${readyMs / 1000} s`), readyMs);
      const refuse = (says: string): void => {
        clearTimeout(timer);
        const { stderr } = program;
        void program.stop().then(() => reject(new DriverDied(name, "client", { says, stderr })));
      };
      const program = new DriverProcess({
        folder,
        command: driver.client!.command,
        env,
        onLine: (line) => {
          if (client) return client.#hear(line);
          const sdk = readReady(line, driver);
          if (typeof sdk === "string") return refuse(sdk);
          clearTimeout(timer);
          client = new ClientDriver(name, sdk, program, waiting);
          resolve(client);
        },
        onEnd: (end) => {
          clearTimeout(timer);
          if (client) client.#end = end;
          const died = new DriverDied(name, "client", end);
          for (const each of waiting.values()) each.fail(died);
          waiting.clear();
          reject(died);
        },
      });
    });
  }

  get isDead(): boolean {
    return this.#end !== undefined;
  }

  /** Resolves with the answer, or at the timeout; rejects with DriverDied. */
  async ask({ op, target, params, timeoutMs, leaveAfter, over }: DriverRequest): Promise<RawDriverAnswer> {
    if (this.#end) throw new DriverDied(this.#name, "client", this.#end);
    this.#asked += 1;
    const id = `${this.#asked}`;
    const events: JsonValue[] = [];
    return new Promise((resolve, reject) => {
      const ended = new AbortController();
      const late = (): void => {
        if (!this.#waiting.delete(id)) return;
        ended.abort();
        clearTimeout(timer);
        this.#write({ id: `${id}-close`, op: "close", params: { id } });
        resolve({ events, late: true });
      };
      const timer = setTimeout(late, timeoutMs);
      this.#waiting.set(id, {
        events,
        leaveAfter: leaveAfter ?? Number.POSITIVE_INFINITY,
        settle: (answer) => {
          ended.abort();
          clearTimeout(timer);
          this.#waiting.delete(id);
          resolve({ ...answer, events });
        },
        fail: (error) => {
          ended.abort();
          clearTimeout(timer);
          reject(error);
        },
      });
      void over?.(ended.signal).then(() => {
        if (!ended.signal.aborted) late();
      });
      this.#write({ id, op, target, params });
    });
  }

  #write(request: Readonly<Record<string, unknown>>): void {
    this.#process.write(JSON.stringify(request));
  }

  #hear(line: string): void {
    const answer = jsonObjectIn(line);
    const id = answer?.["id"];
    const waiting = typeof id === "string" ? this.#waiting.get(id) : undefined;
    // An answer to an ended request, or an invalid one, belongs to no cell.
    if (!answer || !waiting || typeof id !== "string") return;
    if ("error" in answer) waiting.settle({ error: errorIn(answer["error"]) });
    else if ("result" in answer) waiting.settle({ result: answer["result"] as JsonValue });
    else if (answer["done"] === true) waiting.settle({ done: true });
    else if ("event" in answer) {
      waiting.events.push(answer["event"] as JsonValue);
      if (waiting.events.length === waiting.leaveAfter) this.#leave(id, waiting);
    }
  }

  /** Hangs up, and waits a little for the end of the stream. */
  #leave(id: string, waiting: Waiting): void {
    this.#write({ id: `${id}-close`, op: "close", params: { id } });
    setTimeout(() => waiting.settle({}), closeMs).unref();
  }

  /** Writes a line that is not a request. */
  writeLine(line: string): void {
    this.#process.write(line);
  }

  /** Closes its stdin; returns true if that made it exit. */
  endsBySelf(): Promise<boolean> {
    return this.#process.stop();
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }
}

function errorIn(error: unknown): SurfacedError {
  const { kind, type, code, message }: JsonObject = isObject(error) ? (error as JsonObject) : {};
  const isKnown = surfacedErrorKinds.includes(kind as SurfacedErrorKind);
  return {
    kind: isKnown ? (kind as SurfacedErrorKind) : "driver",
    ...(typeof type === "string" && { type }),
    ...(typeof code === "number" && { code }),
    message: isKnown
      ? String(message ?? "")
      : `the driver returned an error without a valid kind: ${JSON.stringify(error)}`,
  };
}
