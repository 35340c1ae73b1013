import { addSettingFlags } from "../serving/flags.ts";
import type { AddCommand } from "./command.ts";

export const addServe: AddCommand = (program, screen, done) => {
  const command = program
    .command("serve")
    .description("Serve the test bed: A2A agents with known behaviour, for those who build clients.");
  addSettingFlags(command)
    .addHelpText(
      "after",
      `
Examples:
  $ assay serve                                   agents on http://127.0.0.1:4040
  $ assay serve --port 0 --json                   any free port, one JSON line with the address: for scripts
  $ assay serve --time-scale 0.1                  for test suites: every delay a tenth
  $ assay serve --max-memory 1024                 for load tests: room for more, and for as much of it as the machine has
  $ assay serve --store sqlite:tasks.db           what clients were told is there again after a crash
  $ assay serve --store env:STORE_URL             PostgreSQL: any number of servers on one store, behind a balancer
  $ assay serve --cert s.pem --key s.key --tls-client-ca ca.pem   TLS; /secure knows alice, bob and carol by certificates too
  $ assay serve --record                          then: assay runs, assay report last --report har
  $ assay serve --recorded last --time-scale 0.1  the agent of the last run, its streams ten times as fast
  $ assay serve --host 0.0.0.0 --public-url https://a2a.example.com
  $ assay serve --config serve.yaml               settings from a file; ASSAY_SERVE_PORT=8080 in the environment wins over it

Every setting can be given in three ways: --max-memory 512, ASSAY_SERVE_MAX_MEMORY=512 in the environment, or
maxMemory: 512 in the file of --config (ASSAY_SERVE_CONFIG). A flag wins over the environment, that over the file; a switch that
one of them turned on is turned off by --no-log and the like. docs/operations.md has the table.

/secure takes API keys, Basic, tokens, certificates, and OAuth by the server at /oidc, which needs the package oidc-provider beside
assay (npm install oidc-provider). Who is who, and how to log in by each: docs/secure.md.

A recorded agent answers what was asked in the recording: the same operation over the same binding and path with the same parameters, ids of
messages apart; else, for a message, the same words in the same task. Of several such answers those count whose version, login, extensions
and content type are alike, one after the other; the last one stays. Everything else is refused with TaskNotFound where a
task is named, and with UnsupportedOperation. Addresses on the card are moved here, its signatures are taken off.
Stop it with Ctrl-C: open streams are ended and answers under way are finished.`,
    )
    .action(async ({ printSettings }: { readonly printSettings?: boolean }) => {
      const { settle } = await import("../serving/settle.ts");
      const settled = await settle(command, process.env);
      if (printSettings) return (await import("../serving/print-settings.ts")).printSettings(settled, screen);
      const { serve } = await import("../actions/serve.ts");
      done(await serve(settled, screen));
    });
};
