import { acknowledgement, intercept } from "@assay/agents/making";
import { A2AError, type Binding, type JsonObject } from "@assay/protocol";
import { agent, answering, completing, listing, ordered, refusingVersion, word } from "../agents.ts";
import type { ContractLab, Probe } from "../lab.ts";
import { headerOf, sends, textIn } from "../reading.ts";
import type { Scene, ToolRun } from "../scene.ts";
import { createPushConfig } from "./tasks.ts";

/** Spellings of a binding as a value of --transport, which the contract leaves open. */
const spellings: Readonly<Record<Binding, readonly string[]>> = {
  JSONRPC: ["JSONRPC", "jsonrpc", "json-rpc"],
  "HTTP+JSON": ["HTTP+JSON", "http+json", "rest", "http-json", "http"],
  GRPC: ["GRPC", "grpc"],
};

const usedIn = (run: ToolRun): string => run.calls(...sends)[0]?.on.binding ?? "none";

/** Finds out which bindings the tool speaks, by cards with a single interface. */
export async function spokenBy(lab: ContractLab): Promise<ReadonlySet<Binding>> {
  const { speaks } = lab.learned;
  for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
    if (speaks.has(binding)) continue;
    const scene = await lab.scene(agent(answering, { layers: ordered(binding) }));
    const run = await scene.run(lab.send("hello"));
    if (run.exit === 0 && run.output.includes(word)) speaks.add(binding);
  }
  return speaks;
}

/** Returns the arguments that prefer these bindings, in the first spelling that the tool accepts. */
async function preferring(lab: ContractLab, ...order: readonly Binding[]): Promise<readonly string[] | undefined> {
  const flags: string[] = [];
  for (const binding of order) {
    const spelled = await accepted(lab, binding);
    if (spelled === undefined) return undefined;
    flags.push("--transport", spelled);
  }
  return flags;
}

async function accepted(lab: ContractLab, binding: Binding): Promise<string | undefined> {
  const scene = await lab.scene(agent(answering));
  for (const each of spellings[binding])
    if ((await scene.run(lab.send("hello", "--transport", each))).exit === 0) return each;
  return undefined;
}

/** TX_001 */
const followsCard: Probe = async (lab) => {
  const speaks = await spokenBy(lab);
  for (const order of [
    ["HTTP+JSON", "JSONRPC"],
    ["JSONRPC", "HTTP+JSON"],
  ] as const) {
    const scene = await lab.scene(agent(answering, { layers: ordered(...order) }));
    const run = await scene.run(lab.send("hello"));
    await scene.close();
    const wanted = order.find((each) => speaks.has(each)) ?? "none";
    lab.expect(
      usedIn(run) === wanted,
      `${wanted}, the first interface on the card that the tool supports`,
      usedIn(run) === "none" ? lab.describe(run) : usedIn(run),
      "Use the first interface in the order of the card.",
      run.command,
    );
  }
};

/** A binding that no tool supports. */
const pigeon = (baseUrl: string): JsonObject => ({
  url: `${baseUrl}/pigeon`,
  protocolBinding: "https://example.com/bindings/carrier-pigeon/v1",
  protocolVersion: "1.0",
});

/** TX_002 */
const skipsUnknown: Probe = async (lab) => {
  const layers = listing((listed, baseUrl) => [pigeon(baseUrl), ...listed]);
  const scene = await lab.scene(agent(answering, { layers }));
  const run = await scene.run(lab.send("hello"));
  const speaks = [...(await spokenBy(lab))];
  const other = await lab.scene(agent(answering, { layers: ordered("JSONRPC", "HTTP+JSON") }));
  const [last] = speaks.toReversed();
  const one = last && (await preferring(lab, last));
  const preferred = one && (await other.run(lab.send("hello", ...one)));
  const only = await lab.scene(agent(answering, { layers: ordered(last ?? "JSONRPC") }));
  // A tool with a single binding may reject the names of others.
  const absent = speaks.find((each) => each !== last) ?? last;
  const two = absent && last && (await preferring(lab, absent, last));
  const repeated = two && (await only.run(lab.send("hello", ...two)));
  for (const each of [scene, other, only]) await each.close();
  lab.expect(
    run.exit === 0 && usedIn(run) !== "none",
    "an interface after the unknown one",
    lab.describe(run),
    "Skip interfaces whose binding the tool does not support.",
    run.command,
  );
  lab.expect(
    preferred !== undefined && usedIn(preferred) === last,
    `${last} with --transport`,
    preferred ? usedIn(preferred) : "the tool rejects --transport",
    "Use the first binding of --transport that the card offers.",
    preferred ? preferred.command : lab.commandLine("send", "--transport"),
  );
  lab.expect(
    repeated !== undefined && usedIn(repeated) === last,
    "--transport twice: the second one if the card does not have the first",
    repeated ? lab.describe(repeated) : "the tool rejects --transport twice",
    "Accept --transport several times, highest preference first.",
    repeated ? repeated.command : lab.commandLine("send", "--transport"),
  );
};

/** TX_003 */
const namesTenant: Probe = async (lab) => {
  const tenant = "acme-7";
  const layers = listing((listed) => listed.map((each) => ({ ...each, tenant })));
  const scene = await lab.scene(agent(completing, { tenants: [tenant], layers }));
  const run = await scene.run(lab.send("go"));
  const plain = await lab.scene(agent(completing));
  const without = await plain.run(lab.send("go"));
  await scene.close();
  await plain.close();
  const tenantsOf = (each: ToolRun): string =>
    each
      .calls()
      .map((call) => textIn(call.params ?? call.written, "tenant") || "none")
      .join(", ") || lab.describe(each);
  lab.expect(
    /^acme-7(, acme-7)*$/.test(tenantsOf(run)),
    "the tenant of the interface in every request",
    tenantsOf(run),
    "Copy the tenant of the interface into each request.",
    run.command,
  );
  lab.expect(
    /^none(, none)*$/.test(tenantsOf(without)),
    "no tenant if the interface has none",
    tenantsOf(without),
    "Omit the tenant.",
    without.command,
  );
};

/** TX_004 */
const speaksTwo: Probe = async (lab) => {
  const speaks = await spokenBy(lab);
  const [first] = speaks;
  lab.expect(
    speaks.size >= 2,
    "two transports that work",
    [...speaks].join(", ") || "none",
    "Support a second binding.",
    lab.commandLine(...lab.send("hello")),
  );
  const flags = first && (await preferring(lab, "HTTP+JSON"));
  lab.expect(
    flags !== undefined,
    "--transport to select one",
    "the tool rejects it",
    "Add --transport.",
    lab.commandLine("send", "--transport"),
  );
};

/** TX_005 */
const speaksGrpc: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering, { layers: ordered("GRPC") }));
  const plain = await scene.run(lab.send("hello"));
  // The agent has no certificate, and some tools ask for --insecure then.
  const run = plain.exit === 0 ? plain : await scene.run(lab.send("hello", "--insecure"));
  if (run.exit === 0) lab.learned.speaks.add("GRPC");
  lab.expect(
    run.exit === 0 && run.output.includes(word),
    "a response over gRPC",
    lab.describe(run),
    "Support gRPC.",
    run.command,
  );
};

/** VER_001 */
const namesVersion: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing));
  const run = await scene.run(lab.send("go"));
  const { id } = await scene.task();
  const got = await scene.run(["task", "get", id]);
  const old = await lab.scene(agent(answering, { dialects: ["0.3"], bindings: ["JSONRPC", "HTTP+JSON"] }));
  const older = await old.run(lab.send("hello"));
  const picky = await lab.scene(agent(answering, { layers: refusingVersion }));
  const refused = await picky.run(lab.send("hello"));
  for (const each of [scene, old, picky]) await each.close();
  const versions = [...run.calls(), ...got.calls()].map(
    (call) =>
      headerOf(call, "a2a-version")[0] ?? new URL(call.exchange.http.request.url).searchParams.get("A2A-Version"),
  );
  lab.expect(
    versions.length > 0 && versions.every((each) => each === "1.0"),
    "A2A-Version: 1.0 on every request",
    versions.map((each) => each || "none").join(", ") || "no request",
    "Send A2A-Version with every request.",
    run.command,
  );
  lab.expect(
    older.exit !== 0 && !older.calls(...sends).length,
    "a failure for an agent that has only version 0.3",
    older.calls(...sends).length ? "a message in version 0.3" : lab.describe(older),
    "Use versions before 1.0 only with an explicit --a2a-version.",
    older.command,
  );
  lab.expect(
    refused.exit !== 0 && /version.{0,10}not.?supported/i.test(`${refused.output}${refused.errors}`),
    "the error of the agent: the version is not supported",
    lab.describe(refused),
    "Report the error and exit with 1.",
    refused.command,
  );
};

/** VER_002 */
const declaresExtensions: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering, { extensions: [acknowledgement] }));
  const run = await scene.run(lab.send("hello"));
  await scene.close();
  const declared = run.calls(...sends).flatMap((call) => headerOf(call, "a2a-extensions"));
  const isDeclared = declared.some((each) => each.includes(acknowledgement.uri));
  if (!isDeclared && run.exit !== 0) lab.notMeasured("the tool may not support the extension that the agent requires");
  lab.expect(
    isDeclared,
    "the required extension in A2A-Extensions",
    declared.join(", ") || "no such header",
    "Declare the extensions that the card requires and the tool supports.",
    run.command,
  );
};

/** The commands for operations that need a capability. */
const gated: Readonly<Record<string, (lab: ContractLab, scene: Scene, id: string) => Promise<ToolRun>>> = {
  SendStreamingMessage: (lab, scene) => scene.run(lab.send("go", "--stream")),
  SubscribeToTask: (_lab, scene, id) => scene.run(["task", "subscribe", id]),
  GetExtendedAgentCard: (_lab, scene) => scene.run(["card", "get", "--extended"]),
  CreateTaskPushNotificationConfig: createPushConfig,
};

/** VER_003 */
const asksCard: Probe = async (lab) => {
  const operations = intercept(["SubscribeToTask"], async () => {
    throw new A2AError("UnsupportedOperation", "Not here.");
  });
  const unknown = [];
  for (const [operation, command] of Object.entries(gated)) {
    const able = await lab.scene(agent(completing, { push: true, extended: { skills: [] } }));
    const unable = await lab.scene(agent(completing, { streaming: false, layers: { operations } }));
    const [control, run] = [
      await command(lab, able, (await able.task()).id),
      await command(lab, unable, (await unable.task()).id),
    ];
    for (const each of [able, unable]) await each.close();
    const isSent = (each: ToolRun): boolean => each.calls().some((call) => call.operation === operation);
    // A tool without the command, or with another spelling, shows nothing.
    if (!isSent(control)) unknown.push(operation);
    else
      lab.expect(
        !isSent(run),
        `no ${operation} to an agent whose card does not declare it`,
        "the tool sends it",
        "Look at the capabilities of the card first.",
        run.command,
      );
  }
  if (unknown.length === Object.keys(gated).length)
    lab.notMeasured("the tool sent none of these operations to an agent that declares them");
  if (unknown.length) lab.remark(`not seen in the tool: ${unknown.join(", ")}`);
};

export const transportProbes = {
  A2ACLI_TX_001: followsCard,
  A2ACLI_TX_002: skipsUnknown,
  A2ACLI_TX_003: namesTenant,
  A2ACLI_TX_004: speaksTwo,
  A2ACLI_TX_005: speaksGrpc,
  A2ACLI_VER_001: namesVersion,
  A2ACLI_VER_002: declaresExtensions,
  A2ACLI_VER_003: asksCard,
};
