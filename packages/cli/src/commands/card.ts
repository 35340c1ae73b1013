import { connectionOptions } from "@assay/suite/options";
import { declare, type FlagsOf } from "./command.ts";

const showFlags = [
  ["--json", "print the normalised card and the findings as JSON"],
  "Connection",
  connectionOptions,
] as const;
export type CardFlags = FlagsOf<typeof showFlags>;

const diffFlags = [
  [
    "--fail-on <effect>",
    "exit with 1 on breaking changes, on risky ones, too, or never",
    ["risky", "breaking", "never"],
    "breaking",
  ],
  ["--json", "print only the comparison, as JSON"],
  "Connection",
  connectionOptions,
] as const;
export type CardDiffFlags = FlagsOf<typeof diffFlags>;

const { cert: _cert, key: _key, ...withoutCertificate } = connectionOptions;

const verifyFlags = [
  [
    "--key <file|host>",
    "trust this public key (JWK or JWKS file), or the key sets of this host (default: the agent's host)",
  ],
  ["--json", "print only the result, as JSON"],
  "Connection",
  withoutCertificate,
] as const;
export type CardVerifyFlags = FlagsOf<typeof verifyFlags>;

export const addCard = declare("card", {
  group: "build",
  does: "Show an agent's card and its errors, or compare or verify cards.",
  examples: [["assay card http://127.0.0.1:4040/full"], ["assay card diff released.json http://127.0.0.1:9999"]],
  commands: [
    {
      name: "show",
      isDefault: true,
      does: "Show an agent's card and the errors in it.",
      args: [["<agent>", "the agent's address, its card or its host, or a file with a card"]],
      flags: showFlags,
      examples: [
        ["assay card http://127.0.0.1:4040/full"],
        ["assay card https://agents.example.com --bearer env:TOKEN --json"],
        ["assay card card.json", "check a card before you publish it"],
      ],
      exitCodes: {
        0: "the card has no errors",
        1: "the card breaks the specification",
        2: "no card found",
      },
      action: async () => (await import("../actions/card.ts")).showCard,
    },
    {
      name: "diff",
      does: "Compare two cards: which changes break which clients.",
      args: [
        ["<old>", "the card that clients know: a file, or the address of an agent"],
        ["<new>", "the card to compare it with"],
      ],
      flags: diffFlags,
      examples: [
        ["assay card diff released.json http://127.0.0.1:9999"],
        ["assay card diff https://agents.example.com card.json --fail-on risky"],
      ],
      notes: [
        "Assay compares what the cards mean. The order of members and the version in which a card is written do not matter (docs/cards.md).",
        "A breaking change stops clients that follow the specification. A risky change stops clients that rely on more, such as an address they keep. Assay also names the clients it has measured that lose their only interface.",
      ],
      exitCodes: {
        0: "no breaking change",
        1: "a breaking change; with --fail-on risky, a risky one, too",
        2: "wrong usage, or a card is missing or unreadable",
      },
      action: async () => (await import("../actions/card-diff.ts")).diffCards,
    },
    {
      name: "verify",
      does: "Verify the signatures of a card with a key that you trust.",
      args: [["<card>", "a file, or the address of an agent"]],
      flags: verifyFlags,
      examples: [
        ["assay card verify https://agents.example.com --key publisher.jwk"],
        ["assay card verify card.json --key keys.example.com", "trust the key sets of this host"],
      ],
      notes: [
        "A signature proves something only if you trust its key. Get the key from the publisher. Without --key, Assay fetches keys from the host that served the card, and from no other host.",
        "One signature that your key verifies is enough. The result names the reason for each signature that fails (docs/cards.md).",
      ],
      exitCodes: {
        0: "a trusted key signed this card",
        1: "not signed, changed, or signed with another key",
        2: "wrong usage, no card, or cannot tell, because a key is missing or unreachable",
      },
      action: async () => (await import("../actions/card-verify.ts")).verifyCardOf,
    },
  ],
});
