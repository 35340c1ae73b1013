import { type CardFinding, finding, quote } from "../finding.ts";
import { objectsIn } from "../members.ts";
import type { CardRule } from "./rule.ts";

/** Finds required lists without an element: §5.7 requires one, the example of §8.4.1 has none (AMB-09). */
export const emptyLists: CardRule = function* ({ served }) {
  const lists: [unknown, string, string, string][] = [
    [
      served["skills"],
      "$.skills",
      "CARD-010",
      "Describe at least one skill; registries and planners select agents by skills.",
    ],
    [
      served["defaultInputModes"],
      "$.defaultInputModes",
      "CARD-008",
      'List the media types that the agent accepts, for example ["text/plain"].',
    ],
    [
      served["defaultOutputModes"],
      "$.defaultOutputModes",
      "CARD-009",
      'List the media types of its answers, for example ["text/plain"].',
    ],
    ...objectsIn(served["skills"], "$.skills").map(([skill, path]): [unknown, string, string, string] => [
      skill["tags"],
      `${path}.tags`,
      "CARD-022",
      "Give the skill at least one tag.",
    ]),
  ];
  for (const [list, path, rule, fix] of lists) {
    if (Array.isArray(list) && list.length === 0) {
      const message = "is empty, but clients use it to choose agents";
      yield { level: "warning", code: "empty-list", path, message, fix, rule };
    }
  }
};

export const skillIds: CardRule = function* ({ served }) {
  const first = new Map<unknown, string>();
  for (const [{ id }, path] of objectsIn(served["skills"], "$.skills")) {
    if (typeof id !== "string") continue;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, path);
    else {
      yield finding("error", "repeated-skill-id", `${path}.id`, {
        message: `is ${quote(id)}, the same as in ${earlier}; skill ids must be unique within a card`,
        fix: "Give each skill its own id.",
        rule: "CARD-020",
      });
    }
  }
};

const mediaType = /^(?:[\w!#$&^.+-]+|\*)\/(?:[\w!#$&^.+-]+|\*)(?:\s*;.*)?$/;

export const mediaTypes: CardRule = function* ({ served, dialects }) {
  // 0.1 also allows short names: text, file, data.
  if (dialects[0]?.dialect === "0.1") return;
  yield* modes(served["defaultInputModes"], "$.defaultInputModes", "CARD-008");
  yield* modes(served["defaultOutputModes"], "$.defaultOutputModes", "CARD-009");
  for (const [skill, path] of objectsIn(served["skills"], "$.skills")) {
    yield* modes(skill["inputModes"], `${path}.inputModes`, "CARD-023");
    yield* modes(skill["outputModes"], `${path}.outputModes`, "CARD-023");
  }
};

function* modes(list: unknown, path: string, rule: string): Generator<CardFinding> {
  if (!Array.isArray(list)) return;
  for (const [index, mode] of list.entries()) {
    if (typeof mode !== "string" || mediaType.test(mode)) continue;
    yield finding("warning", "no-media-type", `${path}[${index}]`, {
      message: `is ${quote(mode)}, which is not a media type`,
      fix: 'Write type/subtype, for example "text/plain".',
      rule,
    });
  }
}
