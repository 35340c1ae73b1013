import type { TestOptions } from "@assay/suite";
import type { TestFlags } from "../commands/test.ts";
import { settingsOf } from "../config/settings.ts";
import type { ConnectionFlags } from "../connection-flags.ts";
import type { AgentTestOptions, ConnectionOptions } from "./options.ts";
import { silentScreen } from "./silent-screen.ts";

/** The same test as the command line would make with these flags. */
export async function suiteOptionsOf(url: string, options: AgentTestOptions): Promise<TestOptions> {
  const { signal, ...rest } = options;
  const settings = await settingsOf(url, testFlagsOf(rest), silentScreen);
  return {
    ...settings.options,
    run: new Date().toISOString().slice(0, 19).replaceAll(":", "-"),
    ...(signal && { signal }),
  };
}

function testFlagsOf({
  bindings,
  dialects,
  only,
  skip,
  skills,
  ruleSet,
  config,
  headers,
  allowHosts,
  trustHosts,
  allowSecrets,
  ...same
}: Omit<AgentTestOptions, "signal">): TestFlags {
  return {
    ...same,
    ...connectionFlagsOf({
      ...(headers && { headers }),
      ...(allowHosts && { allowHosts }),
      ...(trustHosts && { trustHosts }),
    }),
    config: config ?? false,
    ...(allowSecrets && { allowSecret: [...allowSecrets] }),
    ...(bindings && { binding: [...bindings] }),
    ...(dialects && { dialect: [...dialects] }),
    ...(only && { only: [...only] }),
    ...(skills && { skill: [...skills] }),
    ...(skip && { skip: [...skip] }),
    ...(ruleSet && { spec: ruleSet }),
  };
}

/** The flags that every command with a connection has. */
export function connectionFlagsOf({ headers, allowHosts, trustHosts, ...same }: ConnectionOptions): ConnectionFlags {
  return {
    ...same,
    ...(headers && { header: Object.entries(headers).map(([name, value]) => `${name}:${value}`) }),
    ...(allowHosts && { allowHost: [...allowHosts] }),
    ...(trustHosts && { trustHost: [...trustHosts] }),
  };
}
