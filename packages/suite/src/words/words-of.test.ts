import type { Binding, DialectVersion } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { checks } from "../checks/index.ts";
import { concerns, ruleIn, ruleOf, versionsWith } from "../rules/catalogue.ts";
import { foreignIn, isOfBoth } from "./foreign-words.fixture.ts";
import { inWordsOf } from "./vocabulary.ts";
import { wordsOf } from "./words-of.ts";

const bindings: Readonly<Record<DialectVersion, readonly Binding[]>> = {
  "1.0": ["JSONRPC", "HTTP+JSON", "GRPC"],
  "0.3": ["JSONRPC", "HTTP+JSON", "GRPC"],
  "0.2": ["JSONRPC"],
  "0.1": ["JSONRPC"],
};

describe.each(["1.0", "0.3", "0.2", "0.1"] as const)("what checks say of themselves in %s", (dialect) => {
  test.each(bindings[dialect])("is in its own words over %s", (binding) => {
    const here = checks.filter(({ id }) => {
      const rule = ruleIn(dialect, id);
      return rule && concerns(rule, binding) && !isOfBoth(id);
    });
    const foreign = here.flatMap((check) => {
      const { title, remedy } = wordsOf(check.id, { dialect, binding });
      return [title, remedy].flatMap((text) =>
        foreignIn(text, { dialect, binding }).map((word) => `${check.id} has ${word}: ${text}`),
      );
    });
    expect(foreign).toEqual([]);
  });
});

test("the words of 0.3 over HTTP+JSON are not those of 1.0", () => {
  const remedyIn = (dialect: DialectVersion) => wordsOf("SEND-010", { dialect, binding: "HTTP+JSON" }).remedy;
  expect(remedyIn("0.3")).toContain("blocking: true");
  expect(remedyIn("1.0")).not.toContain("blocking");
});

const olderWords = checks.flatMap(({ id }) => (ruleOf(id)?.older ?? []).map((own) => ({ id, ...own })));

test("words of their own are kept only where another name for a thing is not enough", () => {
  const idle = olderWords.flatMap(({ id, of, title, remedy }) =>
    of.flatMap((version) => {
      const dialect = version === "proto" ? "0.3" : version;
      const check = checks.find((each) => each.id === id);
      if (!check || !versionsWith(id).includes(dialect)) return [`${id} is no rule of ${version}`];
      const wording = { dialect, binding: version === "proto" ? "HTTP+JSON" : "JSONRPC" } as const;
      const same =
        title === inWordsOf(wording, ruleOf(id)!.title!) || remedy === inWordsOf(wording, ruleOf(id)!.remedy!);
      return same ? [`${id} says the same in ${version}`] : [];
    }),
  );
  expect(idle).toEqual([]);
});

describe("a sentence in the words of a version", () => {
  const of = (dialect: DialectVersion, text: string, binding: Binding = "JSONRPC") =>
    inWordsOf({ dialect, binding }, text);

  test("has its methods, states and members", () => {
    const text = "GetTask shows TASK_STATE_INPUT_REQUIRED under another contextId";
    expect(of("1.0", text)).toBe(text);
    expect(of("0.3", text)).toBe("tasks/get shows input-required under another contextId");
    expect(of("0.1", text)).toBe("tasks/get shows input-required under another sessionId");
    expect(of("0.3", text, "HTTP+JSON")).toBe(text);
  });

  test("leaves alone what is said of 1.0", () => {
    expect(of("0.3", "it speaks 1.0 (SendMessage), not 0.3")).toBe("it speaks 1.0 (SendMessage), not 0.3");
  });

  test("names an error by the number of its binding alone", () => {
    const text = "Refuse it with InvalidParams (-32602, HTTP 400, INVALID_ARGUMENT).";
    expect(of("0.2", text)).toBe("Refuse it with InvalidParams (-32602).");
    expect(of("1.0", text)).toBe(text);
  });

  test("keeps what is quoted, and what the agent wrote itself", () => {
    expect(of("0.3", 'state: "TASK_STATE_WORKING"')).toBe('state: "TASK_STATE_WORKING"');
    const wrote = (word: string) => word === "TASK_STATE_WORKING";
    expect(inWordsOf({ dialect: "0.3", binding: "JSONRPC" }, "state: TASK_STATE_WORKING", wrote)).toBe(
      "state: TASK_STATE_WORKING",
    );
  });
});
