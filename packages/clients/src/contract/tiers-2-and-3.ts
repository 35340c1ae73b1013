import { inTier } from "./requirement.ts";

const send = { needs: "SEND_001" } as const;
const card = { needs: "CARD_GET_001" } as const;

export const tier2 = inTier(2, [
  [
    "CARD_GET_002",
    "§10.1",
    "card get --validate checks the card against the schema",
    "a valid card and one without required members",
    card,
  ],
  [
    "TASK_LIST_001",
    "§7.1, App. A",
    "task list has pages and filters by status and context",
    "an agent with one task per page; --context-id and the status flag from the help",
  ],
  [
    "TASK_SUBSCRIBE_001",
    "§7.1, §9.2",
    "task subscribe follows a task to its end",
    "a task that continues when a client subscribes",
  ],
  [
    "TASK_SUBSCRIBE_002",
    "§9.4, §9.2",
    "a broken subscription can be resumed without task get",
    "an agent whose first subscription breaks",
    { needs: "TASK_SUBSCRIBE_001" },
  ],
  [
    "AUTH_005",
    "§12.2",
    "auth login has the device-code flow",
    "a card with that flow and an authorization server that agrees at once",
  ],
  ["AUTH_006", "§12.2", "auth login has the client-credentials flow", "a card with that flow and its token endpoint"],
  [
    "AUTH_007",
    "§12.2",
    "tokens are stored safely and used by later calls",
    "auth login, then send; the token arrives, and the file that has it is private",
    { needs: "AUTH_005" },
  ],
  [
    "TX_004",
    "§13.1",
    "at least two transports work and can be selected",
    "cards with a single interface each; --transport",
    send,
  ],
  [
    "VER_003",
    "§13.3",
    "operations that need a capability are sent only to agents that declare it",
    "send --stream, task subscribe, card get --extended and task push-config create, with an agent that has all of them and with one that has none",
    send,
  ],
  [
    "CONFIG_002",
    "§8.3",
    "flag, variable, local file, global file, in this order; config show names the source",
    "the same setting at all four places; config show",
    { needs: "AUTH_001" },
  ],
  [
    "DOWNLOAD_001",
    "§7.1",
    "task download saves artifacts as files",
    "task download of a task with a file, in an empty folder",
  ],
  [
    "OUT_007",
    "§7.2",
    "--debug shows the raw protocol messages on stderr",
    "send --debug; stderr has the request as sent",
    send,
  ],
  ["CONFORM_001", "§7.1", "conformance checks an agent", "conformance with a good agent; it has to call the agent"],
  ["CLI_002", "§7.1", "completion prints a script for a shell", "completion bash, and completion for an unknown shell"],
  [
    "PUSH_001",
    "§7.1, App. A",
    "task push-config creates, reads, lists and deletes configurations",
    "the four commands, with the arguments that their help shows",
  ],
]);

export const tier3 = inTier(3, [
  [
    "CARD_GET_003",
    "§10.1, §12.4",
    "card get --extended reads the extended card with a scheme of the public card",
    "an agent with an extended card for a token",
    { needs: "AUTH_001" },
  ],
  [
    "AUTH_008",
    "§12.4",
    "no credential goes to a card endpoint that has not declared a scheme for it",
    "card get and send with --bearer to an agent without schemes",
    card,
  ],
  [
    "CARD_GET_004",
    "§10.1",
    "signatures of cards are verified, and the result is reported",
    "a signed card, a forged one and one without a signature",
    card,
  ],
  [
    "CARD_GET_005",
    "§10.1",
    "catalog entries are accepted as card references",
    "not measured: the contract defines no catalog format",
  ],
  [
    "PUSH_002",
    "§9.2",
    "the tool can receive push notifications",
    "not measured: the contract names no command for the receiver",
  ],
  [
    "CHAT_001",
    "§8.1, §7.1",
    "chat keeps context and task over several turns",
    "chat with two lines on stdin and an agent that asks back",
  ],
  ["TX_005", "§13.1", "gRPC works", "send with a card that has only gRPC", send],
  ["AUTH_009", "§12.3", "mutual TLS works", "not measured: the contract names no option for a client certificate"],
  [
    "AUTH_010",
    "§12.3",
    "OpenID Connect works",
    "auth login with a card that has only this scheme; the tool has to read its configuration",
    { needs: "AUTH_005" },
  ],
  [
    "AUTH_011",
    "§12.3",
    "a task in AUTH_REQUIRED can be resumed",
    "send to an agent that asks for a login, then send --task-id once it is given",
    send,
  ],
  ["DEMO_SERVER_001", "§7.1, §3", "demo-server runs a local agent", "demo-server; its card has to be readable"],
  [
    "VER_002",
    "§13.3, A2A §4.6",
    "extensions that the agent requires are declared",
    "send to an agent that requires an extension",
    send,
  ],
]);
