import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseArgs } from "node:util";
import { readAllowedSecret } from "@assay/library/connection";
import { RunFolder } from "@assay/library/runs";
import { serveMcp } from "@assay/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { expect, onTestFinished, vi } from "vitest";

/** A result of a tool: its structured form, or the text of an error. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and fail where it is missing
  readonly value: any;
  readonly isError: boolean;
}

export interface StartedMcp {
  readonly client: Client;
  /** the folder that keeps the runs */
  readonly runs: string;
  /** everything that the server wrote to stderr */
  log(): string;
  call(tool: string, given?: object, options?: CallOptions): Promise<Answer>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => void;
}

/** Long enough for a busy machine: the tests wait for events. */
const patience = 280_000;

type StartMcp = (flags?: readonly string[], env?: Record<string, string>) => Promise<StartedMcp>;

/** Starts `assay mcp` for one test and connects the official client to it. */
export const startMcpProcess: StartMcp = async (flags = [], env = {}) => {
  const runs = newFolder();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["packages/cli/bin/assay.js", "mcp", "--runs", runs, ...flags],
    env,
    stderr: "pipe",
  });
  let log = "";
  transport.stderr!.on("data", (chunk: Buffer) => {
    log += chunk.toString("utf8");
  });
  return connected(transport, runs, () => log);
};

/** Serves the tools in this process: a process for each test takes most of the time of these tests. */
export const serveMcpHere: StartMcp = async (flags = [], env = {}) => {
  const { values } = parseArgs({
    args: [...flags],
    options: {
      "allow-commands": { type: "boolean", default: false },
      "allow-secret": { type: "string", multiple: true, default: [] },
      budget: { type: "string", default: "120" },
      "total-budget": { type: "string", default: "500" },
    },
  });
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const runs = newFolder();
  let log = "";
  const operator = {
    allowPrivate: false,
    allowHosts: [],
    allowedSecrets: values["allow-secret"].map((each) => readAllowedSecret(each)),
    allowCommands: values["allow-commands"],
    callBudget: Number(values.budget),
    totalBudget: Number(values["total-budget"]),
    folder: new RunFolder(runs),
    log(text: string) {
      log += `${text}\n`;
    },
  };
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = await serveMcp(operator, toServer, toClient);
  onTestFinished(() => server.close());
  // Both ends of a connection over streams write and read the same lines.
  return connected(new StdioServerTransport(toClient, toServer), runs, () => log);
};

const newFolder = (): string => mkdtempSync(join(tmpdir(), "assay-mcp-"));

async function connected(transport: Transport, runs: string, log: () => string): Promise<StartedMcp> {
  const client = new Client({ name: "assay-e2e", version: "0.0.0" });
  // A line on stdout that is not the protocol arrives here.
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  onTestFinished(async () => {
    await client.close();
    expect(errors).toEqual([]);
  });
  await client.connect(transport, { timeout: patience });
  // The client validates structured results against the schemas that it has listed.
  await client.listTools(undefined, { timeout: patience });
  return {
    client,
    runs,
    log,
    async call(name, given = {}, options = {}) {
      const result = await client.callTool({ name, arguments: { ...given } }, undefined, {
        timeout: patience,
        ...options,
      });
      const [text] = result.content as [{ readonly text: string }];
      const isError = result.isError === true;
      if (!isError) expect(JSON.parse(text.text)).toEqual(result.structuredContent);
      return { isError, value: isError ? errorIn(text.text) : result.structuredContent };
    },
  };
}

/** Errors of Assay are JSON; those of the SDK, such as a wrong argument, are text. */
function errorIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { error: text };
  }
}
