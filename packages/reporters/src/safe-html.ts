import { markup, markupLines } from "@assay/suite/text";

/** Markup of our own making: only `h` makes it, so text from elsewhere cannot pass for it. */
export class SafeHtml {
  readonly text: string;

  constructor(strings: readonly string[], values: readonly Value[]) {
    this.text = strings.map((string, index) => string + written(values[index])).join("");
  }
}

type Value = string | number | undefined | SafeHtml | readonly SafeHtml[];

/** A piece of a page. What is put into it is text and escaped, unless it is a piece itself. */
export const h = (strings: TemplateStringsArray, ...values: readonly Value[]): SafeHtml =>
  new SafeHtml(strings, values);

/** Text that keeps its lines, for a `<pre>`. */
export const preformatted = (text: string): SafeHtml => new SafeHtml([markupLines(text)], []);

/** What is written in this project, such as a style sheet. */
export const ours = (text: string): SafeHtml => new SafeHtml([text], []);

function written(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof SafeHtml) return value.text;
  if (typeof value === "string") return markup(value);
  if (typeof value === "number") return String(value);
  return value.map(({ text }) => text).join("");
}
