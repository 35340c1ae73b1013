import { rmSync } from "node:fs";
import { isLogin } from "@assay/agents";
import { keptRuns, openWantedRecord, type RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { defaultRuleSet, operationAsked } from "@assay/suite";
import { createMasker, type Exchange, Recording, type Secret, secretsInHeader, toHarEntry } from "@assay/wire";
import { ServedRecorder } from "@assay/wire/served-recorder";

/** Records the requests to a server of Assay as a run. */
export interface ServedRun {
  readonly file: string;
  readonly recorder: ServedRecorder;
  /** Starts the run, once the server listens. */
  begin(url: string): void;
  /** Closes the run, and returns the reason if its recording is incomplete. A run without exchanges leaves no file. */
  end(): string | undefined;
}

/** Size limit for one recorded exchange. */
const mostBytes = 512 * 1024;

/** Maximum number of clients whose credentials are known. Others are masked only in headers and addresses. */
const mostSecrets = 500;

/**
 * Masks credentials from request headers wherever they appear afterwards. A secret that appears only in messages is not
 * recognised.
 */
export function openServedRun(folder: RunFolder): ServedRun {
  const record = openWantedRecord(folder);
  const secrets = new Map<string, Secret>();
  let masker = createMasker([]);
  const recording = new Recording({ keep: false, bytesPerExchange: mostBytes });
  const began = performance.now();
  let [written, messages] = [0, 0];
  recording.onExchange((exchange: Exchange) => {
    // A login is not A2A traffic, and contains mostly secrets.
    if (isLogin(new URL(exchange.http.request.url).pathname)) return;
    const shown = exchange.http.request.headers.flatMap(([name, value]) => secretsInHeader(name, value));
    const fresh = shown.filter(({ value }) => !secrets.has(value)).slice(0, mostSecrets - secrets.size);
    for (const secret of fresh) secrets.set(secret.value, secret);
    if (fresh.length) masker = createMasker([...secrets.values()]);
    const asked = operationAsked(exchange.http.request);
    const working = asked !== undefined && /^Send/.test(asked.operation);
    written += 1;
    if (working) messages += 1;
    const entry = toHarEntry(masker.exchange(exchange));
    record.add({ event: "exchange", id: exchange.id, ...asked, ...(working && { working }), entry });
  });
  return {
    file: record.file,
    recorder: new ServedRecorder(recording),
    begin: (url) =>
      record.add({
        event: "run-started",
        subject: "client",
        run: record.file.replace(/^.*[\\/]|\.ndjson$/g, ""),
        at: new Date().toISOString(),
        tool: { name: "assay", version },
        ruleSet: defaultRuleSet,
        agentUrl: url,
        // Assay sends no messages here, it only records.
        depth: "free",
        strict: false,
      }),
    end() {
      record.add({
        event: "run-finished",
        at: new Date().toISOString(),
        ending: "done",
        duration_ms: Math.round(performance.now() - began),
        workingMessages: messages,
      });
      record.close();
      if (written === 0) rmSync(record.file, { force: true });
      else folder.prune(keptRuns);
      return record.trouble;
    },
  };
}
