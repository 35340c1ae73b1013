import { expect, test } from "vitest";
import { markedJson } from "./marked-json.ts";

/** What is shown, with marks as brackets. */
const shown = (value: unknown, path?: string): string =>
  markedJson(JSON.stringify(value), path)!
    .map((line) => {
      if ("leftOut" in line) return `… ${line.leftOut} lines\n`;
      const text = line.note === undefined ? line.text : `${line.text} ${line.note}`;
      return `${"  ".repeat(line.depth)}${line.isMarked ? `⟦${text}⟧` : text}\n`;
    })
    .join("");

test("the value at a path is marked, and so are the few lines that it has", () => {
  expect(shown({ status: { state: "done", at: "x" }, id: 1 }, "$.status")).toMatchInlineSnapshot(`
    "{
      ⟦"status": { ◀⟧
        ⟦"state": "done",⟧
        ⟦"at": "x"⟧
      ⟦},⟧
      "id": 1
    }
    "
  `);
});

test("where a member is missing, the object is marked in which it should stand", () => {
  expect(shown({ task: { id: "t" } }, "$.task.status.state")).toMatchInlineSnapshot(`
    "{
      ⟦"task": { ◀ status is missing⟧
        "id": "t"
      }
    }
    "
  `);
});

test("of a long answer the beginning, the place and the end are shown; the rest is counted", () => {
  const tasks = Array.from({ length: 300 }, (_, index) => ({ id: `t${index}` }));
  const text = shown({ tasks }, "$.tasks[150].id");
  expect(text).toContain('⟦"id": "t150" ◀⟧');
  expect(text.match(/… \d+ lines/g)).toEqual(["… 423 lines", "… 428 lines"]);
});

test("an endless text is cut, and a path that leads nowhere marks nothing", () => {
  expect(shown({ text: "x".repeat(2_000) }, "nonsense").match(/x+…|⟦/g)).toHaveLength(1);
});
