import { agent, completing, endless, ordered, word } from "../agents.ts";
import type { ContractLab, Probe } from "../lab.ts";
import { headerOf, namesState, oneDocument, sends } from "../reading.ts";
import { spokenBy } from "./transport.ts";

interface Default {
  /** its name in `default_001_breakdown` of the report */
  readonly key: string;
  readonly what: string;
  readonly flag: string;
  /** Finds out whether the tool has the default, and whether the flag overrides it. */
  readonly measure: (lab: ContractLab) => Promise<readonly [shipped: boolean, overridable: boolean]>;
}

const defaults: readonly Default[] = [
  {
    key: "transport_server_preference_order",
    what: "the transport in the order of the card",
    flag: "--transport",
    async measure(lab) {
      const speaks = [...(await spokenBy(lab))];
      const order = speaks.toReversed();
      const scene = await lab.scene(agent(completing, { layers: ordered(...order) }));
      const plain = await scene.run(lab.send("go"));
      const other = order.at(-1) ?? "JSONRPC";
      const chosen = [];
      for (const spelled of [other, other.toLowerCase(), "rest"])
        chosen.push(await scene.run(lab.send("go", "--transport", spelled)));
      await scene.close();
      const used = (run: typeof plain) => run.calls(...sends)[0]?.on.binding;
      return [used(plain) === order[0], chosen.some((run) => run.exit === 0 && used(run) === other)];
    },
  },
  {
    key: "task_completion_wait_by_default",
    what: "waiting until the task ends",
    flag: "--async",
    async measure(lab) {
      const scene = await lab.scene(agent(completing));
      const plain = await scene.run(lab.send("go"));
      const busy = await lab.scene(agent(endless));
      const immediate = await busy.run(lab.send("go", "--async"));
      return [namesState(plain.output, "COMPLETED"), immediate.exit === 0];
    },
  },
  {
    key: "output_human_readable_text",
    what: "text output",
    flag: "--output json",
    async measure(lab) {
      const scene = await lab.scene(agent(completing));
      const plain = await scene.run(lab.send("go"));
      const json = await scene.run(lab.send("go", "--output", "json"));
      return [plain.exit === 0 && oneDocument(plain.output) === undefined, oneDocument(json.output) !== undefined];
    },
  },
  {
    key: "detail_level_concise",
    what: "concise output",
    flag: "--verbose",
    async measure(lab) {
      const scene = await lab.scene(agent(completing));
      const plain = await scene.run(lab.send("go"));
      const verbose = await scene.run(lab.send("go", "--verbose"));
      const more = verbose.output.length + verbose.errors.length > plain.output.length + plain.errors.length;
      return [plain.exit === 0, verbose.exit === 0 && more && verbose.output.includes(word)];
    },
  },
  {
    key: "protocol_version_highest_mutual",
    what: "the highest common version",
    flag: "--a2a-version",
    async measure(lab) {
      const scene = await lab.scene(agent(completing));
      const plain = await scene.run(lab.send("go"));
      const chosen = await scene.run(lab.send("go", "--a2a-version", "1.0"));
      await scene.close();
      const version = (run: typeof plain) => run.calls(...sends).flatMap((call) => headerOf(call, "a2a-version"))[0];
      return [version(plain) === "1.0", chosen.exit === 0 && version(chosen) === "1.0"];
    },
  },
  {
    key: "transport_security_tls_on",
    what: "verified certificates",
    flag: "--insecure",
    async measure(lab) {
      const scene = await lab.scene(agent(completing), { untrusted: true });
      const strict = await scene.run(lab.send("go"));
      const insecure = await scene.run(lab.send("go", "--insecure"));
      await scene.close();
      return [strict.exit !== 0 && !strict.requests().length, insecure.exit === 0 && insecure.errors !== ""];
    },
  },
];

/** The rows of the breakdown, in the order of the report. */
export const defaultKeys: readonly string[] = defaults.map(({ key }) => key);

/** DEFAULT_001 */
const shipsDefaults: Probe = async (lab) => {
  for (const { key, what, flag, measure } of defaults) {
    const [shipped, overridable] = await measure(lab);
    lab.learned.defaults.set(key, { shipped, overridable });
    lab.expect(
      shipped,
      `the default: ${what}`,
      "the tool does not have it",
      `Make ${what} the default.`,
      lab.commandLine("send"),
    );
    lab.expect(
      overridable,
      `${flag} instead of ${what}`,
      "the flag does not work",
      `Let ${flag} override the default.`,
      lab.commandLine("send", flag),
    );
  }
  const help = await lab.run(["send", "--help"]);
  lab.expect(
    /default/i.test(help.output),
    "the defaults in the help",
    "send --help names none",
    "Show the default of each option in the help.",
    help.command,
  );
};

export const defaultProbes = { A2ACLI_DEFAULT_001: shipsDefaults };
