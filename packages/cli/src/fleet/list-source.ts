import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import {
  type AgentList,
  agentsOf,
  JsonPathError,
  type ListDocument,
  readCsv,
  readNdjson,
  readRegistry,
  readYamlList,
} from "@assay/fleet";
import { createHttpClient } from "@assay/wire";
import type { FleetFlags } from "../commands/fleet-run.ts";
import { clientOptions, parseAddress, withoutLogin } from "../connection.ts";
import { UsageError } from "../exit.ts";

const MiB = 1024 * 1024;
const largestFile = 256 * MiB;
const largestPage = 64 * MiB;
const mostPages = 10_000;

const readers = { yaml: readYamlList, csv: readCsv, ndjson: readNdjson } as const;
const endings: Readonly<Record<string, keyof typeof readers>> = {
  ".yaml": "yaml",
  ".yml": "yaml",
  ".json": "yaml",
  ".csv": "csv",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
};

/** The agents of a list: of a file, or of an address. */
export async function readAgents(list: string, flags: FleetFlags): Promise<AgentList & { readonly fleet: string }> {
  const { depth, allowMessage, unchangedEvery } = flags;
  const isAddress = /^https?:\/\//i.test(list);
  const documents = await understood(async () => (isAddress ? fetched(list, flags) : [ofFile(list, flags)]));
  const read = agentsOf(documents, {
    ...(depth !== undefined && { depth }),
    ...(allowMessage && { allowMessage }),
    ...(unchangedEvery !== undefined && { unchangedEvery }),
  });
  const named = isAddress ? new URL(list).host : basename(list, extname(list));
  return { ...read, fleet: flags.fleet ?? read.fleet ?? named };
}

async function understood(reading: () => Promise<ListDocument[]>): Promise<ListDocument[]> {
  try {
    return await reading();
  } catch (error) {
    throw error instanceof JsonPathError ? new UsageError(`--json-path: ${error.message}`) : error;
  }
}

function ofFile(file: string, { format, jsonPath }: FleetFlags): ListDocument {
  const text = textOf(file);
  if (jsonPath !== undefined) return readRegistry(jsonOf(text, file), file, jsonPath);
  const kind = format ?? endings[extname(file).toLowerCase()];
  if (!kind)
    throw new UsageError(
      `${file}: what it is written in is not to be seen by its name`,
      "Say it: --format yaml, csv or ndjson",
    );
  return readers[kind](text, file);
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > largestFile) throw new UsageError(`${file} is larger than 256 MiB`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be read (${code})`, undefined, error);
  }
}

function jsonOf(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${where} is no JSON`);
  }
}

/** The pages of a listing. The operator named the address; what leads on from it stays on that host. */
async function fetched(address: string, flags: FleetFlags): Promise<ListDocument[]> {
  const first = parseAddress(address);
  const client = createHttpClient({
    ...clientOptions([first], flags),
    limits: { bodyBytes: largestPage, wireBytes: largestPage },
  });
  const documents: ListDocument[] = [];
  const seen = new Set<string>();
  try {
    for (let url: URL | undefined = first; url && !seen.has(url.href) && seen.size < mostPages; ) {
      seen.add(url.href);
      const { http, failure } = await client.request({
        method: "GET",
        url: url.href,
        headers: [["Accept", "application/json"]],
        followRedirects: 3,
      });
      const shown = withoutLogin(url.href);
      if (failure) throw new UsageError(`${shown} was not read: ${failure.message}`, failure.hint);
      if (http.response?.status !== 200) throw new UsageError(`${shown} answered HTTP ${http.response?.status}`);
      const page = readRegistry(jsonOf(Buffer.from(http.response.body).toString("utf8"), shown), shown, flags.jsonPath);
      documents.push(page);
      const next: URL | undefined =
        page.next !== undefined && URL.canParse(page.next, url.href) ? new URL(page.next, url) : undefined;
      if (next && next.origin !== first.origin)
        throw new UsageError(`${shown} leads on to ${next.origin}, another host than that of the listing`);
      url = next;
    }
    return documents;
  } finally {
    await client.close();
  }
}
