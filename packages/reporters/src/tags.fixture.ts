/** Elements of HTML that have no end. */
const withoutEnd = ["meta", "input", "link", "img"];

/**
 * Returns the tags of XML, or of the HTML that we write, in order. It is as strict as an XML parser: it throws at an
 * end without a beginning, a bare `<` or `&`, or a character that XML 1.0 forbids.
 */
export function tagsOf(text: string): string[] {
  const illegal = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text);
  if (illegal) throw new Error(`character U+${illegal[0].codePointAt(0)!.toString(16)} at ${illegal.index}`);
  const tags: string[] = [];
  const open: string[] = [];
  const attribute = String.raw`\s[A-Za-z:-]+(?:="(?:[^<&"]|&(?:amp|lt|gt|quot|#\d+);)*")?`;
  const token = new RegExp(
    String.raw`<\?xml [^?]*\?>\n|<!DOCTYPE html>\n|<(style|script)>[^<]*</(?:style|script)>|<(/?)([a-z][a-z0-9-]*)((?:${attribute})*)\s?(/?)>|((?:[^<&]|&(?:amp|lt|gt|quot|#\d+);)+)`,
    "y",
  );
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match) throw new Error(`out of place at ${at}: ${text.slice(at, at + 80)}`);
    const [, style, end, name, , alone, said] = match;
    if (style || name === undefined) {
      if (said?.includes("]]>")) throw new Error("]]> in text");
      continue;
    }
    if (end) {
      const last = open.pop();
      if (last !== name) throw new Error(`</${name}> ends <${last}> at ${at}`);
    } else if (!alone && !withoutEnd.includes(name)) open.push(name);
    tags.push(`${end}${name}`);
  }
  if (open.length) throw new Error(`never ended: ${open.join(", ")}`);
  return tags;
}
