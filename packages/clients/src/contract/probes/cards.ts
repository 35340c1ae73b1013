import type { JsonObject } from "@assay/protocol";
import { rewritten, signedCard } from "../../stages/signed-cards.ts";
import { agent, answering } from "../agents.ts";
import type { ContractLab, Probe } from "../lab.ts";
import { headerOf, oneDocument, sends, textIn } from "../reading.ts";
import { apiKeyHolders, bearerHolders, token } from "./schemes.ts";

const name = "Contract agent";

/** CARD_GET_001 */
const getsCards: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering));
  const path = await lab.file("card.json", JSON.stringify(await scene.card()));
  const fix = "Read the card from the reference and print it.";
  const byOrigin = await scene.run(["card", "get", "--output", "json"]);
  lab.succeeds(byOrigin, "card get of an origin ends", fix);
  const printed = textIn(oneDocument(byOrigin.output), "name");
  lab.expect(printed === name, "the card as one JSON object", lab.describe(byOrigin), fix, byOrigin.command);
  const byHost = await scene.runAsIs(["card", "get", "--agent-card", new URL(scene.url).host]);
  const byUrl = await scene.runAsIs(["card", "get", "--agent-card", scene.cardUrl]);
  const byFileUrl = await scene.runAsIs(["card", "get", "--agent-card", `file://${path}`]);
  const byPath = await scene.runAsIs(["card", "get", "--agent-card", path]);
  for (const [run, from] of [
    [byUrl, "a full card URL"],
    [byFileUrl, "a file:// URL"],
    [byPath, "a path"],
  ] as const)
    lab.expect(
      run.exit === 0 && run.output.includes(name),
      `the card from ${from}`,
      lab.describe(run),
      `Accept ${from} as --agent-card.`,
      run.command,
    );
  const secured = await lab.scene(agent(answering, { access: bearerHolders() }));
  const plain = await scene.run(["card", "get"]);
  const withSchemes = await secured.run(["card", "get"]);
  for (const [what, pattern, run] of [
    ["capabilities", /stream/i, plain],
    ["interfaces", /JSON-?RPC/i, plain],
    ["skills", /situation/i, plain],
    ["security schemes", /bearer/i, withSchemes],
  ] as const)
    lab.expect(
      pattern.test(run.output),
      `the ${what} of the card as text`,
      run.exit === 0 ? "they are missing" : lab.describe(run),
      `Show the ${what} of the card.`,
      run.command,
    );
  const used = await scene.runAsIs([...lab.send("hello", "--agent-card", path)]);
  await scene.close();
  // The contract names no scheme for a bare host, and this agent has no TLS.
  lab.expect(
    scene.handshakes() > 0 || (byHost.exit === 0 && byHost.output.includes(name)),
    "the card from a bare host",
    lab.describe(byHost),
    "Accept a host without a scheme as --agent-card.",
    byHost.command,
  );
  const asked = byUrl.requests().map(({ exchange }) => new URL(exchange.http.request.url).pathname);
  lab.expect(
    asked.includes(new URL(scene.cardUrl).pathname),
    "a request for exactly the given card URL",
    asked.join(", ") || "no request",
    "Use a full card URL unchanged.",
    byUrl.command,
  );
  lab.expect(
    used.calls(...sends).length > 0,
    "a message to the interface of a card from a file",
    lab.describe(used),
    "Use the card to select the interface.",
    used.command,
  );
};

/** CARD_GET_002 */
const validates: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering));
  const good = await scene.run(["card", "get", "--validate"]);
  const { version: _version, skills: _skills, ...rest } = (await scene.card()) as JsonObject;
  const path = await lab.file("incomplete.json", JSON.stringify(rest));
  lab.succeeds(good, "card get --validate of a valid card ends", "Add --validate to card get.");
  const bad = await scene.runAsIs(["card", "get", "--validate", "--agent-card", path]);
  lab.expect(
    bad.exit !== 0,
    "a failure for a card without version and skills",
    lab.describe(bad),
    "Report an invalid card as A2ACLI_ERR_CARD_INVALID with exit code 1.",
    bad.command,
  );
};

/** CARD_GET_003 */
const readsExtended: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering, { extended: { access: bearerHolders(), skills: [] } }));
  const run = await scene.run(["card", "get", "--extended", "--bearer", token]);
  // This card does not declare a bearer scheme, so the token must not be presented.
  const other = await lab.scene(agent(answering, { extended: { access: apiKeyHolders(), skills: [] } }));
  const unsuited = await other.run(["card", "get", "--extended", "--bearer", token]);
  await scene.close();
  await other.close();
  const [call] = run.calls("GetExtendedAgentCard");
  lab.expect(
    run.exit === 0 && call !== undefined && headerOf(call, "authorization").includes(`Bearer ${token}`),
    "GetExtendedAgentCard with the token of the declared scheme",
    call ? lab.describe(run) : `no such call, ${lab.describe(run)}`,
    "Fetch the extended card with the credential of a scheme on the public card.",
    run.command,
  );
  lab.expect(
    unsuited.calls("GetExtendedAgentCard").every((each) => !headerOf(each, "authorization").length),
    "no token for an agent that declares only an API key",
    "the token was sent",
    "Send a credential only if the card declares a scheme for it.",
    unsuited.command,
  );
};

const says = { verified: /(?<!un|not |in|non-)verified|valid signature|signature[^\n]*\b(ok|valid)\b/i } as const;

/** CARD_GET_004 */
const verifies: Probe = async (lab) => {
  const outputOf = async (layers: ReturnType<typeof signedCard> | undefined) => {
    const scene = await lab.scene(agent(answering, layers ? { layers } : {}));
    return scene.run(["card", "get"]);
  };
  const signed = await outputOf(signedCard({ change: rewritten }));
  const forged = await outputOf(signedCard({ change: (card) => ({ ...card, name: "Another agent" }) }));
  const absent = await outputOf(undefined);
  const about = (run: Awaited<ReturnType<typeof outputOf>>): string =>
    `${run.output}${run.errors}`.split("\n").find((line) => /signature|verif/i.test(line)) ??
    "nothing about a signature";
  lab.expect(
    says.verified.test(about(signed)),
    "a signed card reported as verified",
    about(signed),
    "Verify the signatures of a card (A2A §8.4.3) and print the result.",
    signed.command,
  );
  lab.expect(
    !says.verified.test(about(forged)) && /signature|verif/i.test(about(forged)),
    "a forged card reported as not verified",
    about(forged),
    "Report a signature that does not match as unverifiable.",
    forged.command,
  );
  lab.expect(
    absent.exit === 0 && /signature|verif/i.test(about(absent)) && !says.verified.test(about(absent)),
    "a card without a signature reported as such, with exit code 0",
    `${about(absent)}, ${lab.describe(absent)}`,
    "Report that the signature is absent, and do not fail.",
    absent.command,
  );
};

/** AUTH_008 */
const keepsCredentials: Probe = async (lab) => {
  const scene = await lab.scene(agent(answering));
  const runs = [
    await scene.run(["card", "get", "--bearer", token]),
    await scene.run([...lab.send("hello", "--bearer", token)]),
  ];
  await scene.close();
  const fetches = runs.flatMap((run) => run.requests().filter(({ is }) => is === "card"));
  if (!fetches.length) lab.notMeasured("the tool fetched no card with --bearer");
  const leak = fetches.find((each) => each.exchange.http.request.headers.some(([, value]) => value.includes(token)));
  lab.expect(
    leak === undefined,
    "no credential in a request for a public card",
    "the token was sent with the request for the card",
    "Fetch the public card without credentials.",
    runs[0]!.command,
  );
  const [message] = runs[1]!.calls(...sends);
  lab.expect(
    !message || !JSON.stringify(message.exchange.http.request.headers).includes(token),
    "no credential for an agent that declares no scheme",
    "the token was sent with the message",
    "Send a credential only if the card declares a scheme for it.",
    runs[1]!.command,
  );
};

export const cardProbes = {
  A2ACLI_CARD_GET_001: getsCards,
  A2ACLI_CARD_GET_002: validates,
  A2ACLI_CARD_GET_003: readsExtended,
  A2ACLI_CARD_GET_004: verifies,
  A2ACLI_CARD_GET_005: async (lab: ContractLab) => lab.notMeasured("the contract defines no catalog format"),
  A2ACLI_AUTH_008: keepsCredentials,
};
