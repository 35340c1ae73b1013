import { startTestbed } from "@assay/agents";
import type { SendFlags } from "../commands/send.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";
import { version } from "../version.ts";
import { sendMessage } from "./send.ts";

interface Scene {
  readonly title: string;
  readonly path: string;
  readonly text: string;
  readonly flags?: SendFlags;
}

/** What the demonstration shows: each line is a command that the reader can run himself. */
const scenes: readonly Scene[] = [
  { title: "A plain question gets a plain message", path: "echo", text: "hello" },
  {
    title: "Work becomes a task with an artifact",
    path: "spec",
    text: "task-lifecycle summarise this",
    flags: { binding: "HTTP+JSON" },
  },
  { title: "The same agent over gRPC", path: "spec", text: "data-types all", flags: { binding: "GRPC" } },
  { title: "An agent from the first days of A2A", path: "spec01", text: "task-lifecycle hello" },
  { title: "A stream, as it comes", path: "spec", text: "streaming hello", flags: { stream: true } },
  { title: "Two agents: one asks the other", path: "spec", text: "relay {url}/echo are you there?" },
  { title: "An agent that asks back", path: "spec", text: "multi-turn book a table" },
  { title: "What it cannot do, it says properly", path: "minimal", text: "streaming hello", flags: { stream: true } },
];

/** Plays the scenes against a test bed of our own. */
export async function playDemo(screen: Screen): Promise<ExitCode> {
  const { line, colors } = screen;
  const testbed = await startTestbed({ host: "127.0.0.1", port: 0, version, timeScale: 0.5 });
  try {
    line(
      `The Assay test bed is up on ${colors.bold(testbed.url)}: ${testbed.agents.length} A2A agents, from 0.1 to 1.0, over JSON-RPC, HTTP+JSON and gRPC.`,
    );
    for (const { title, path, text, flags = {} } of scenes) {
      const words = text.replace("{url}", testbed.url);
      line();
      line(colors.bold(title));
      line(colors.dim(`$ assay send ${testbed.url}/${path} "${words}"${asWords(flags)}`));
      await sendMessage(`${testbed.url}/${path}`, words, flags, screen);
    }
    line();
    line("That was the demonstration. To have the agents for yourself:");
    line(`  npx assay serve                 then point your client at http://127.0.0.1:4040/spec`);
    line(`  npx assay send --help           talk to any A2A agent from the terminal`);
  } finally {
    await testbed.close(1_000);
  }
  return exitCodes.fine;
}

const asWords = ({ binding, stream }: SendFlags): string =>
  `${binding ? ` --binding ${binding}` : ""}${stream ? " --stream" : ""}`;
