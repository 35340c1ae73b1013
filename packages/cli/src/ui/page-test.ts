import { existsSync } from "node:fs";
import { basename } from "node:path";
import { isSameAddress, projectsFor, settingsOf, usualConfig } from "@assay/library/config";
import { clientOptions, program, tokenGetter } from "@assay/library/connection";
import { openRecord, type RunFolder, recordedEvents } from "@assay/library/runs";
import type { TestOptions } from "@assay/suite";
import type { TestValues } from "@assay/suite/options";
import type { RunEvent } from "@assay/suite/report";
import { ApiError, type RunWish, type StartedRun } from "@assay/web";
import type { ConfigFlags } from "../option-flags.ts";
import type { Screen } from "../terminal/screen.ts";
import { loginOf } from "./login.ts";
import { rethrown } from "./rethrown.ts";

/** The options of `assay ui`: what the assay.yaml of its folder may do, and where to print it. */
export interface PageOperator {
  readonly trust?: Pick<ConfigFlags, "allowSecrets" | "untrustedConfig">;
  readonly screen?: Screen;
}

/** A test that the page asks for: what `assay test` would do with the same options, recorded in the same place. */
export async function pageTest(
  wish: RunWish,
  folder: RunFolder,
  signal: AbortSignal,
  operator: PageOperator = {},
): Promise<StartedRun> {
  const { testAgent, selectChecks } = await import("@assay/suite");
  const options = await usableOptions(wish, operator).catch(rethrown);
  try {
    selectChecks(options);
  } catch (error) {
    rethrown(error);
  }
  const record = openRecord(folder, (because) => {
    throw new ApiError(500, `Cannot record the run: ${because}.`, "Start assay ui in a writable folder.");
  });
  const run = basename(record.file, ".ndjson");
  return { run, events: withApiErrors(recordedEvents(testAgent({ ...options, run, signal }), record, folder)) };
}

async function usableOptions(
  wish: RunWish,
  { trust, screen }: PageOperator,
): Promise<Omit<TestOptions, "run" | "signal">> {
  const flags = { ...valuesOf(wish), ...trust };
  // Warnings about secrets go to the terminal of the page.
  const { options } = await settingsOf(wish.url, flags, screen ?? program);
  const login = await loginOf(wish, tokenGetter(clientOptions([], flags)));
  return {
    ...options,
    headers: [...(options.headers ?? []), ...login.headers],
    secrets: [...(options.secrets ?? []), ...login.secrets],
  };
}

/** `assay.yaml` is meant for the agent that it names; nothing of it goes to another one, and its command is not run. */
export function valuesOf(
  { url, login: _, headers: __, ...options }: RunWish,
  config: string = usualConfig(),
): TestValues {
  const [project] = existsSync(config) ? projectsFor(url, { config }) : [];
  const isMeant = project?.url !== undefined && isSameAddress(project.url, url);
  return { ...options, start: false, config: isMeant && config };
}

/** Turns errors of a run into answers of the API. */
async function* withApiErrors(events: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
  try {
    yield* events;
  } catch (error) {
    rethrown(error);
  }
}
