import { setTimeout as pause } from "node:timers/promises";
import type { Regression } from "@assay/fleet";
import { clientOptions, parseAddress, withoutLogin } from "@assay/library/connection";
import { createHttpClient } from "@assay/wire";
import type { ExaminerFlags } from "./examiner-flags.ts";

/** The notification about agents that got worse. */
export interface RegressionNotice {
  readonly event: "fleet-regressions";
  readonly fleet: string;
  readonly sweep: string;
  readonly regressions: readonly Regression[];
}

const tries = 3;
const againMs = 2_000;

/** Sends the notification; returns the reason if it failed. */
export async function notify(
  address: string,
  notice: RegressionNotice,
  flags: ExaminerFlags,
): Promise<string | undefined> {
  const url = parseAddress(address);
  const client = createHttpClient(clientOptions([url], flags));
  try {
    for (let attempt = 1; ; attempt++) {
      const { http, failure } = await client.request({
        method: "POST",
        url: url.href,
        headers: [["Content-Type", "application/json"]],
        body: Buffer.from(JSON.stringify(notice)),
      });
      const status = http.response?.status ?? 0;
      if (!failure && status >= 200 && status < 300) return undefined;
      const isPassing = failure !== undefined || status === 429 || status >= 500;
      if (!isPassing || attempt === tries)
        return `${withoutLogin(url.origin)} could not be notified: ${failure?.message ?? `it returned HTTP ${status}`}`;
      await pause(againMs * attempt);
    }
  } finally {
    await client.close();
  }
}
