import { isLoopback } from "@assay/protocol";
import { addressText } from "./address-text.ts";
import type { HallmarkClaims, HallmarkSource } from "./claims.ts";
import { isoOf } from "./reading.ts";
import type { HallmarkQuestion, HallmarkVerdict } from "./verify.ts";

/** A named fact as plain text; each view escapes it. */
export interface ToldFact {
  readonly label: string;
  readonly text: string;
}

/** A verdict on a hallmark as text: the result, the facts, and what they do and do not mean. */
export interface ToldHallmark {
  readonly answer: string;
  readonly facts: readonly ToldFact[];
  readonly means: readonly string[];
  readonly meansNot: readonly string[];
}

const day = (seconds: number): string => isoOf(seconds).slice(0, 10);

export function toldHallmark(verdict: HallmarkVerdict, question: HallmarkQuestion): ToldHallmark {
  if (verdict.is === "bad" && !verdict.claims)
    return {
      answer: `This hallmark is not genuine: ${verdict.because}.`,
      facts: [],
      means: ["Nothing. Assay did not read what it says about an agent."],
      meansNot: [],
    };
  // Verdicts without claims were handled above.
  const claims = verdict.claims!;
  const facts = factsOf(claims, verdict, question);
  if (verdict.is === "bad")
    return {
      answer: `This hallmark does not hold: ${verdict.because}.`,
      facts,
      means: [`Its signature is genuine, and it says nothing about the agent ${reach[verdict.code] ?? "now"}.`],
      meansNot: [],
    };
  if (verdict.is === "undecided")
    return {
      answer: `Assay cannot tell whether this hallmark is valid: ${verdict.because}.`,
      facts,
      means: ["Its signature is genuine. It may have been revoked."],
      meansNot: [],
    };
  return {
    answer: `This hallmark is genuine, and holds at ${question.at.toISOString().slice(0, 10)}.`,
    facts,
    means: meaningOf(claims),
    meansNot: limitsOf(claims, verdict, question),
  };
}

/** Describes what a genuine hallmark cannot prove, by fault. */
const reach: Partial<Record<string, string>> = {
  "not-yet-valid": "at this time",
  "report-differs": "by this report",
  "report-contradicts": "that its report bears out",
  "card-differs": "with this card",
};

function factsOf(claims: HallmarkClaims, verdict: HallmarkVerdict, question: HallmarkQuestion): ToldFact[] {
  const { iss, sub, jti, iat, exp, hallmark } = claims;
  return [
    { label: "issuer", text: addressText(iss) },
    { label: "agent", text: addressText(sub) },
    { label: "says", text: `${hallmark.outcome}, level ${hallmark.level}: ${hallmark.because}` },
    {
      label: "examined",
      text: `${examinedOf(claims)}, at depth ${hallmark.depth}${hallmark.strict ? ", strictly" : ""}`,
    },
    { label: "rules", text: hallmark.ruleSet },
    { label: "tested", text: hallmark.tested },
    { label: "source", text: sourceText[hallmark.source] },
    { label: "signed", text: isoOf(iat) },
    { label: "until", text: isoOf(exp) },
    {
      label: "card",
      text: `${hallmark.card}${question.cardDigest === undefined ? "" : matches(verdict, "card-differs")}`,
    },
    { label: "report", text: `${hallmark.report}${question.report ? matches(verdict, "report-differs") : ""}` },
    { label: "id", text: jti },
    ...(verdict.is === "good" ? [{ label: "key", text: `${verdict.key.kid} (${verdict.key.alg})` }] : []),
    { label: "revoked", text: revokedText(verdict) },
  ];
}

const sourceText: Readonly<Record<HallmarkSource, string>> = {
  recording: "the recording of the issuer's own run",
  ledger: "the ledger of the issuer's fleet",
  report: "a report file, not a recording (--from-report)",
};

const matches = (verdict: HallmarkVerdict, code: string): string =>
  verdict.is === "bad" && verdict.code === code ? " (not the one given)" : " (the one given)";

function revokedText(verdict: HallmarkVerdict): string {
  if (verdict.is === "bad") return verdict.code === "revoked" ? "yes" : "not looked at";
  if (verdict.is === "undecided") return "not known";
  const { revocations: list } = verdict;
  return list
    ? `no, by the list of ${day(list.iat)}; the next is due ${day(list.exp)}`
    : "not looked at: no list was given";
}

const examinedOf = ({ hallmark: { examined } }: HallmarkClaims): string =>
  `${examined.rules} of ${examined.of} rules that apply (${Math.floor((100 * examined.rules) / examined.of)} %)`;

const meaningOf = ({ iss, sub, hallmark }: HallmarkClaims): string[] => [
  `${addressText(iss)} says: on ${hallmark.tested.slice(0, 10)} the agent at ${addressText(sub)} was tested with Assay, and of the ${hallmark.examined.rules} rules of A2A that were examined it broke none.`,
];

function limitsOf(
  { sub, hallmark, exp }: HallmarkClaims,
  verdict: Extract<HallmarkVerdict, { is: "good" }>,
  { report }: HallmarkQuestion,
): string[] {
  const { rules, of } = hallmark.examined;
  const left = of - rules;
  return [
    ...(left > 0 ? [`${left} more ${left === 1 ? "rule applies and was" : "rules apply and were"} not examined.`] : []),
    ...(hallmark.source === "report"
      ? [
          "The issuer signed a report file. Its author may have made up the results: the issuer had no recording of the test.",
        ]
      : []),
    "Advice that is not followed, contested rules and versions that the agent does not claim do not count; the report has them.",
    "It says that the agent keeps to the protocol, not that its answers are good, that it is safe, or who runs it.",
    `It is about the agent as it was then. With another card or other code it may be different; after ${day(exp)} it says nothing.`,
    "It is worth as much as your trust in that key: who has the key can sign whatever they like. Get it from the issuer, not from who shows you the hallmark.",
    ...(report
      ? []
      : [
          "The report was not given, so only its digest is known: --report checks that it is the one that was signed for.",
        ]),
    ...(verdict.revocations
      ? []
      : ["Whether it was revoked was not looked at: --revocations does that, with the issuer's newest list."]),
    ...(isLoopback(new URL(sub).hostname)
      ? ["The address is that of the machine on which the test was made: it names no agent that others can reach."]
      : []),
  ];
}
