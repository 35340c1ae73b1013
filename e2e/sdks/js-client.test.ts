import { AgentCard, Message, verifyAgentCardSignature } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  ServiceParameters,
  withA2AExtensions,
} from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import {
  describeSdkClient,
  errorOf,
  printEvents,
  pushRoundTrip,
  request,
  type SdkClient,
  sendForTask,
  surfacedAs,
} from "../fixtures/sdk-client.fixture.ts";
import { agentMessage, plain, useTestbed } from "../fixtures/testbed.fixture.ts";

// The client of the official JavaScript SDK, which nobody here wrote, against the test bed: what it reads is
// compared in ProtoJSON as the SDK itself prints it. Its other ways to connect are in third-party-grpc-and-older.

const bed = useTestbed({ timeScale: 0.05 });

const optionsFor = (binding: SdkClient["binding"]) =>
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new GrpcTransportFactory()],
    preferredTransports: [binding],
  });

const clientFor = (agent: string, binding: SdkClient["binding"]): Promise<Client> =>
  new ClientFactory(optionsFor(binding)).createFromUrl(`${bed.url}/${agent}/`);

const subjects = (["JSONRPC", "HTTP+JSON"] as const).map(
  (binding): SdkClient => ({
    title: `@a2a-js/sdk 1.3.0 over ${binding} on /spec`,
    binding,
    version: "1.0",
    push: false,
    async connect(claiming) {
      if (!claiming) return clientFor("spec", binding);
      const { capabilities, ...card } = await new DefaultAgentCardResolver().resolve(`${bed.url}/spec/`);
      const claims = { ...card, capabilities: { ...capabilities!, pushNotifications: true } };
      return new ClientFactory(optionsFor(binding)).createFromAgentCard(claims);
    },
  }),
);
for (const subject of subjects) describeSdkClient(subject);

test("the SDK finds the card of /spec, at the agent and at the root, and reads all of it", async () => {
  const card = await new DefaultAgentCardResolver().resolve(`${bed.url}/spec/`);
  const served = JSON.parse((await plain(`${bed.url}/spec/.well-known/agent-card.json`)).text) as JsonObject;
  expect(AgentCard.toJSON(card)).toEqual(served);
  expect(card.skills.map(({ id }) => id)).toEqual([
    "message-only",
    "task-lifecycle",
    "task-failure",
    "task-cancel",
    "multi-turn",
    "streaming",
    "long-running",
    "data-types",
  ]);
  expect([card.name, card.capabilities?.streaming, card.capabilities?.pushNotifications]).toEqual([
    "Spec Agent",
    true,
    false,
  ]);
  const root = await new DefaultAgentCardResolver().resolve(bed.url);
  expect(root).toEqual(card);
});

describe.each(subjects)("$title, on the agents beside it", (subject) => {
  const { binding } = subject;

  test("a client that streams is content with an agent that does not", async () => {
    const echo = await clientFor("echo", binding);
    const events = await printEvents(echo.sendMessageStream(request("hello")));
    expect(events).toEqual([{ message: agentMessage("Echo: hello") }]);
  });

  test("push configurations on /full are created, read, listed and deleted", async () => {
    const full = await clientFor("full", binding);
    const { id } = await sendForTask(full, "multi-turn x");
    await pushRoundTrip(full, subject, id);
  });

  test("/strict turns the client away until it declares the extension", async () => {
    const strict = await clientFor("strict", binding);
    expect(await errorOf(strict.sendMessage(request("message-only x")))).toEqual(
      surfacedAs(subject, "ExtensionSupportRequired"),
    );
    const uri = "urn:assay:extension:acknowledgement:v1";
    const serviceParameters = ServiceParameters.create(withA2AExtensions(uri));
    const answer = await strict.sendMessage(request("message-only x"), { serviceParameters });
    expect(Message.toJSON(answer as Message)).toEqual({
      ...agentMessage("[message-only] You said: message-only x"),
      extensions: [uri],
      metadata: { [uri]: { acknowledged: true } },
    });
  });
});

test("@a2a-js/sdk 1.3.0 verifies the signature of /full's card with the key behind its jku", async () => {
  // Given a card it has decoded itself, this SDK drops the security schemes before it computes the payload
  // (canonicalizeAgentCard reads its own model as if it were JSON), so it is given the card as served.
  const card = JSON.parse((await plain(`${bed.url}/full/.well-known/agent-card.json`)).text) as AgentCard;
  const asked: (string | undefined)[] = [];
  const verify = verifyAgentCardSignature(async (kid, jku) => {
    asked.push(jku);
    const { keys } = JSON.parse((await plain(jku!)).text) as { keys: { kid: string }[] };
    return keys.find((key) => key.kid === kid) as never;
  });
  await verify(card);
  expect(asked).toEqual([`${bed.url}/.well-known/jwks.json`]);
});
