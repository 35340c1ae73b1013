import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import {
  type AgentList,
  agentsOf,
  type ListDocument,
  readCsv,
  readNdjson,
  readRegistry,
  readYamlList,
} from "@assay/fleet";
import { clientOptions, parseAddress, withoutLogin } from "@assay/library/connection";
import { readingReasonOf } from "@assay/library/runs";
import { defined, jsonIn } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import { createHttpClient } from "@assay/wire";
import type { FleetFlags } from "../commands/fleet.ts";
import { UsageError } from "../exit.ts";

const MiB = 1024 * 1024;
const largestFile = 256 * MiB;
const largestPage = 64 * MiB;

/** The limits of a listing, because a registry may have endless pages. */
const listingLimits = { pages: 10_000, agents: 1_000_000, bytes: largestFile };

const readers = { yaml: readYamlList, csv: readCsv, ndjson: readNdjson } as const;
const endings: Readonly<Record<string, keyof typeof readers>> = {
  ".yaml": "yaml",
  ".yml": "yaml",
  ".json": "yaml",
  ".csv": "csv",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
};

/** Reads the agents of a list, from a file or an address. */
export async function readAgents(
  list: string,
  flags: FleetFlags,
  limits: typeof listingLimits = listingLimits,
): Promise<AgentList & { readonly fleet: string }> {
  const { depth, allowMessage, unchangedEvery } = flags;
  const isAddress = /^https?:\/\//i.test(list);
  const reading = async () => (isAddress ? fetched(list, flags, limits) : [ofFile(list, flags, limits)]);
  const documents = await reading().catch((error: unknown) => {
    const isLong = error instanceof AssayError && error.code === "too-many-agents";
    throw isLong ? tooLarge(list, `${limits.agents.toLocaleString("en")} agents`) : error;
  });
  const read = agentsOf(documents, {
    ...defined({ depth, allowMessage, unchangedEvery }),
  });
  const named = isAddress ? new URL(list).host : basename(list, extname(list));
  return { ...read, fleet: flags.fleet ?? read.fleet ?? named };
}

const tooLarge = (list: string, limit: string): UsageError =>
  new UsageError(
    `${withoutLogin(list)} has more than ${limit}, which is the limit for one listing. Nothing was examined`,
    "Check that its next links end. If they do, split the listing into NDJSON files with one agent per line, and sweep each file.",
  );

function ofFile(file: string, { format, jsonPath }: FleetFlags, { agents }: typeof listingLimits): ListDocument {
  const text = textOf(file);
  if (jsonPath !== undefined) return readRegistry(jsonOf(text, file), file, { path: jsonPath, most: agents });
  const kind = format ?? endings[extname(file).toLowerCase()];
  if (!kind) throw new UsageError(`${file}: unknown format`, "Pass the format: --format yaml, csv or ndjson");
  return readers[kind](text, file);
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > largestFile) throw new UsageError(`${file} is larger than 256 MiB`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `Cannot read the list ${file}: ${readingReasonOf(error as NodeJS.ErrnoException)}`,
      "Pass a YAML, CSV or NDJSON file, or the URL of a registry. docs/fleet.md has an example.",
      error,
    );
  }
}

function jsonOf(text: string, where: string): unknown {
  const json = jsonIn(text);
  if (json === undefined) throw new UsageError(`${where} is not valid JSON`);
  return json;
}

/**
 * Fetches the pages of a listing. The operator named only the first address, so the next pages must be on the same
 * host.
 */
async function fetched(address: string, flags: FleetFlags, limits: typeof listingLimits): Promise<ListDocument[]> {
  const first = parseAddress(address);
  const client = createHttpClient({
    ...clientOptions([first], flags),
    limits: { bodyBytes: largestPage, wireBytes: largestPage },
  });
  const documents: ListDocument[] = [];
  const seen = new Set<string>();
  let [agents, bytes] = [0, 0];
  try {
    for (let url: URL | undefined = first; url && !seen.has(url.href); ) {
      if (seen.size === limits.pages) throw tooLarge(address, `${limits.pages.toLocaleString("en")} pages`);
      seen.add(url.href);
      const { http, failure } = await client.request({
        method: "GET",
        url: url.href,
        headers: [["Accept", "application/json"]],
        followRedirects: 3,
      });
      const shown = withoutLogin(url.href);
      if (failure) throw new UsageError(`Cannot read ${shown}: ${failure.message}`, failure.hint);
      if (http.response?.status !== 200) throw new UsageError(`${shown} returned HTTP ${http.response?.status}`);
      const { body } = http.response;
      bytes += body.length;
      if (bytes > limits.bytes) throw tooLarge(address, `${limits.bytes / MiB} MiB`);
      const json = jsonOf(Buffer.from(body).toString("utf8"), shown);
      const page = readRegistry(json, shown, { path: flags.jsonPath, most: limits.agents - agents });
      agents += page.rows.length;
      documents.push(page);
      const next: URL | undefined =
        page.next !== undefined && URL.canParse(page.next, url.href) ? new URL(page.next, url) : undefined;
      if (next && next.origin !== first.origin)
        throw new UsageError(`${shown} links to ${next.origin}, which is another host`);
      url = next;
    }
    return documents;
  } finally {
    await client.close();
  }
}
