import type { JsonValue } from "@assay/protocol";
import type { Condition } from "../model.ts";
import { valueAt } from "./path.ts";

/** Reads `path == value`, `path != value`, `path in [a, b]`; undefined for anything else. */
export function readCondition(text: string): Condition | undefined {
  const compared = /^\s*(\S+)\s*(==|!=)\s*(.+?)\s*$/.exec(text);
  if (compared) {
    const [, path, operator, value] = compared;
    return { text, path: path!, operator: operator as "==" | "!=", values: [literal(value!)] };
  }
  const [, path, list] = /^\s*(\S+)\s+in\s+\[(.*)\]\s*$/.exec(text) ?? [];
  if (path === undefined || !list?.trim()) return undefined;
  return { text, path, operator: "in", values: list.split(",").map((each) => literal(each.trim())) };
}

/** Reads a literal: quoted or not, a number or a word. */
function literal(text: string): JsonValue {
  const [, quoted] = /^(?:"(.*)"|'(.*)')$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  if (text === "true" || text === "false") return text === "true";
  if (text === "null") return null;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text.replace(/^'(.*)'$/, "$1");
}

export function holds({ path, operator, values }: Condition, answer: JsonValue | undefined): boolean {
  const value = valueAt(answer, path);
  const isAmong = values.some((each) => each === value);
  return operator === "!=" ? !isAmong : isAmong;
}
