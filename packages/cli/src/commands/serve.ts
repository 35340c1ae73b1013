import { addSettingFlags } from "../serving/flags.ts";
import { type AddCommand, commandGroups } from "./command.ts";

export const addServe: AddCommand = (program, screen, done) => {
  const command = program
    .command("serve")
    .description("Serve A2A agents of known behaviour, to test clients against.")
    .helpGroup(commandGroups.build)
    .showHelpAfterError('Run "assay serve --help" to see the usage.')
    .helpText({
      examples: [
        ["assay serve", "agents on http://127.0.0.1:4040"],
        ["assay serve --port 0 --json", "for scripts: any free port, and one JSON line with the address"],
        ["assay serve --time-scale 0.1", "for test suites: every delay ten times shorter"],
        ["assay serve --max-memory 1024", "for load tests: hold up to 1 GiB for clients"],
        ["assay serve --store sqlite:tasks.db", "keep tasks across restarts and crashes"],
        ["assay serve --store env:STORE_URL", "PostgreSQL: several servers on one store, behind a load balancer"],
        ["assay serve --cert s.pem --key s.key --tls-client-ca ca.pem", "TLS; /secure accepts client certificates"],
        [
          "assay serve --fault cut=3@SendStreamingMessage:1x",
          "cut the first stream; --fault list explains every fault",
        ],
        ["assay serve --record", "save the traffic, for assay runs and assay report last --report har"],
        ["assay serve --recorded last --time-scale 0.1", "replay the agent of the last run, ten times as fast"],
        ["assay serve --host 0.0.0.0 --public-url https://a2a.example.com"],
        ["assay serve --config serve.yaml", "read the settings from a file"],
      ],
      notes: [
        "You can set every setting in three ways: as a flag (--max-memory 512), in the environment (ASSAY_SERVE_MAX_MEMORY=512), or in the file of --config or ASSAY_SERVE_CONFIG (maxMemory: 512). Flags win over the environment, the environment wins over the file. A flag such as --no-log turns off a switch that the file or the environment turned on. docs/operations.md has the table.",
        "/secure accepts API keys, Basic, tokens, certificates, and OAuth by the server at /oidc. OAuth needs the package oidc-provider (npm install oidc-provider). docs/secure.md lists the users and how each logs in.",
        "A recorded agent answers what the recording contains: the same operation over the same binding and path with the same parameters. Message ids may differ; otherwise a message matches by the same text in the same task. If several responses match, Assay prefers those with the same version, credentials, extensions and content type. It returns them one after the other, and then repeats the last one. It answers everything else with TaskNotFound if the request names a task, and otherwise with UnsupportedOperation. Assay rewrites the addresses in the card and removes its signatures.",
        "Press Ctrl-C to stop. Assay closes open streams and finishes pending responses.",
      ],
    });
  addSettingFlags(command).action(async ({ printSettings }: { readonly printSettings?: boolean }) => {
    const { settle } = await import("../serving/settle.ts");
    const settled = await settle(command, process.env);
    if (printSettings) return (await import("../serving/print-settings.ts")).printSettings(settled, screen);
    const { serve } = await import("../actions/serve.ts");
    done(await serve(settled, screen));
  });
};
