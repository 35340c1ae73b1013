import { existsSync, rmSync } from "node:fs";
import type { TestOptions } from "@assay/suite";
import type { RunEvent } from "@assay/suite/report";
import type { RunWish, StartedRun } from "@assay/web";
import type { TestFlags } from "../commands/test.ts";
import { usualConfig } from "../config/assay-yaml.ts";
import { isSameAddress, projectsFor } from "../config/project.ts";
import { settingsOf } from "../config/settings.ts";
import { clientOptions } from "../connection.ts";
import { silentScreen } from "../library/silent-screen.ts";
import { tokenGetter } from "../oauth.ts";
import { recordRun } from "../recorded/record-run.ts";
import type { RunFolder } from "../recorded/run-folder.ts";
import { checkedFilter } from "../runs/list.ts";
import { loginOf } from "./login.ts";
import { rethrown } from "./rethrown.ts";

/** A test that the page asks for: what `assay test` would do with the same options, recorded in the same place. */
export async function pageTest(wish: RunWish, folder: RunFolder, signal: AbortSignal): Promise<StartedRun> {
  const { testAgent, selectChecks } = await import("@assay/suite");
  const options = await usableOptions(wish).catch(rethrown);
  try {
    checkedFilter(options, selectChecks);
    folder.prepare();
  } catch (error) {
    rethrown(error);
  }
  const run = folder.nameAt(new Date());
  return { run, events: recorded(testAgent({ ...options, run, signal }), folder, run) };
}

async function usableOptions(wish: RunWish): Promise<Omit<TestOptions, "run" | "signal">> {
  const flags = flagsOf(wish);
  const { options } = await settingsOf(wish.url, flags, silentScreen);
  const login = await loginOf(wish, tokenGetter(clientOptions([], flags)));
  return {
    ...options,
    headers: [...(options.headers ?? []), ...login.headers],
    secrets: [...(options.secrets ?? []), ...login.secrets],
  };
}

/** `assay.yaml` is meant for the agent that it names; nothing of it goes to another one, and its command is not run. */
function flagsOf({ url, depth, only, budget, bindings, dialects }: RunWish): TestFlags {
  const [project] = existsSync(usualConfig) ? projectsFor(url, {}) : [];
  const isMeant = project?.url !== undefined && isSameAddress(project.url, url);
  return {
    start: false,
    ...(!isMeant && { config: false }),
    ...(depth && { depth }),
    ...(budget !== undefined && { budget }),
    ...(only?.length && { only: [...only] }),
    ...(bindings?.length && { binding: [...bindings] }),
    ...(dialects?.length && { dialect: [...dialects] }),
  };
}

async function* recorded(events: AsyncIterable<RunEvent>, folder: RunFolder, run: string): AsyncGenerator<RunEvent> {
  const record = recordRun(folder.eventsOf(run));
  let hasResults = false;
  try {
    for await (const event of events) {
      record.add(event);
      if (event.event === "check-finished") hasResults = true;
      yield event;
    }
  } finally {
    record.close();
    // As on the command line: what found nothing is no run to keep.
    if (!hasResults) rmSync(record.file, { force: true });
  }
}
