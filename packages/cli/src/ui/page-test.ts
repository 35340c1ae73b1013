import { existsSync } from "node:fs";
import { isSameAddress, projectsFor, settingsOf, usualConfig } from "@assay/library/config";
import { clientOptions, program, tokenGetter } from "@assay/library/connection";
import type { RunFolder } from "@assay/library/runs";
import type { TestOptions } from "@assay/suite";
import type { TestValues } from "@assay/suite/options";
import type { RunWish, StartedRun } from "@assay/web";
import type { ConfigFlags } from "../option-flags.ts";
import type { Screen } from "../terminal/screen.ts";
import { loginOf } from "./login.ts";
import { rethrown } from "./rethrown.ts";
import { startedRun } from "./started-run.ts";

/** The options of `assay ui`: the permissions of its assay.yaml, and the screen for warnings. */
export interface PageOperator {
  readonly trust?: Pick<ConfigFlags, "allowSecrets" | "untrustedConfig">;
  readonly screen?: Screen;
}

/** Starts a test for the page, like `assay test` with the same options. It is recorded in the same folder. */
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
  return startedRun(folder, (run) => testAgent({ ...options, run, signal }));
}

async function usableOptions(
  wish: RunWish,
  { trust, screen }: PageOperator,
): Promise<Omit<TestOptions, "run" | "signal">> {
  const flags = { ...valuesOf(wish), ...trust };
  // Warnings about secrets go to the terminal of `assay ui`.
  const { options } = await settingsOf(wish.url, flags, screen ?? program);
  const login = await loginOf(wish, tokenGetter(clientOptions([], flags)));
  return {
    ...options,
    headers: [...(options.headers ?? []), ...login.headers],
    secrets: [...(options.secrets ?? []), ...login.secrets],
  };
}

/**
 * Returns the options of a test. Settings of `assay.yaml` apply only to the agent that it names, and its command never
 * runs.
 */
export function valuesOf(
  { url, login: _, headers: __, ...options }: RunWish,
  config: string = usualConfig(),
): TestValues {
  const [project] = existsSync(config) ? projectsFor(url, { config }) : [];
  const isMeant = project?.url !== undefined && isSameAddress(project.url, url);
  return { ...options, start: false, config: isMeant && config };
}
