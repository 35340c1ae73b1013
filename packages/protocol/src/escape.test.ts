import fc from "fast-check";
import { expect, test } from "vitest";
import { nastyStrings } from "../../reporters/src/hostile.fixture.ts";
import { tagsOf } from "../../reporters/src/tags.fixture.ts";
import { anyCharacter } from "./any-character.fixture.ts";
import { code, cut, jsonText, markup, markupLines, prose, visible, visibleLines } from "./escape.ts";

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(..."`|\\<>[]()*_@#:!&;-+= \n\ta1.~$\ud800\u202e"), maxLength: 40 }),
  fc.constantFrom(...Object.values(nastyStrings)),
);

test("what cannot be seen is written as in JSON", () => {
  const shown = Object.fromEntries(Object.entries(nastyStrings).map(([name, text]) => [name, visible(text)]));
  expect(shown).toMatchInlineSnapshot(`
    {
      "a bar": "a | b || c \\| d \\\\| e",
      "a comment": "<!-- --> <![CDATA[",
      "a fence": "\`\`\`\\n# heading\\n\`\`\`",
      "a link": "[click](javascript:alert(1)) ![x](https://evil.test/x.png) <https://evil.test> https://evil.test www.evil.test",
      "a list": "- one\\n2. two\\n> quote\\n# heading\\n---\\n    code\\n\\tcode",
      "a mention": "@torvalds cc @a2aproject/maintainers a@b.test fixes #1 GH-1 a2aproject/A2A#1",
      "a script": "<script>alert(1)</script>",
      "a workflow command": "::error::owned\\n  ::set-output name=a::b\\n#\\u0023[error]owned #\\u0023vso[task.complete result=Failed;]",
      "an attribute that ends": ""><img src=x onerror=alert(1)>' onmouseover='x",
      "an end of CDATA": "]]></failure><testcase name='fake'/>",
      "an end of details": "</details></summary></pre></code>",
      "an entity": "&lt;b&gt; &#0; &amp",
      "ansi": "\\u001b[31mred\\u001b[0m \\u009b31m \\u0007 \\u0008",
      "backticks": "\` \`\` \`\`\` a \`b\` \`\`\`\` \`",
      "emphasis": "**bold** _it_ ~~no~~ $x^2$ :tada: [^1] \\",
      "invisible text": "a\\u200bb\\u2060\\ufeff\\u00ad\\u{e0041}\\u{e007f}",
      "lines of other kinds": "a\\r\\nb\\rc\\u2028d\\u2029e\\u0085f\\u000bg\\u000ch",
      "lone surrogates": "a\\ud800b\\udc00c\\ud83d",
      "nothing": "",
      "nul": "a\\u0000b",
      "pictures": "👩‍👩‍👧 é 日本語 العربية",
      "spaces": "   ",
      "text that turns around": "a\\u202etxt.exe\\u2066\\u200f\\u061c b",
      "what is no character": "\\ufffe\\uffff﷐",
    }
  `);
});

test("a place that keeps lines keeps them, and tabs, and nothing else", () => {
  expect(visibleLines("a\r\nb\tc\rd\u0000e")).toBe("a\nb\tc\\u000dd\\u0000e");
});

test("in HTML and XML every nasty string is text", () => {
  for (const text of Object.values(nastyStrings)) {
    expect(tagsOf(`<p title="${markup(text)}">${markup(text)}</p>`)).toEqual(["p", "/p"]);
    expect(tagsOf(`<pre>${markupLines(text)}</pre>`)).toEqual(["pre", "/pre"]);
  }
});

test("any text at all is text in HTML and XML", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(tagsOf(`<p title="${markup(text)}">${markup(text)}</p>`)).toEqual(["p", "/p"]);
      expect(tagsOf(`<pre>${markupLines(text)}</pre>`)).toEqual(["pre", "/pre"]);
    }),
  );
});

test("no line is a command for a build server", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const written of [markup(text), markupLines(text), jsonText(text), code(text), prose(text)])
        expect(written).not.toMatch(/##\[|##vso\[/i);
      expect(markupLines(text)).not.toMatch(/^\s*::/m);
      expect(code(text)).not.toMatch(/^\s*::/m);
      expect(prose(text)).not.toMatch(/^\s*::/m);
    }),
  );
});

test("JSON says the same as before, in characters that can be seen", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const written = jsonText({ text });
      expect(JSON.parse(written)).toEqual({ text });
      expect(written).not.toMatch(
        /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udbff](?![\udc00-\udfff])/,
      );
    }),
  );
  expect(jsonText("##[error]\u202e\u{e0041}")).toBe(String.raw`"#\u0023[error]\u202e\udb40\udc41"`);
});

test("in Markdown every nasty string is words and code", () => {
  const shown = Object.fromEntries(Object.entries(nastyStrings).map(([name, text]) => [name, prose(text)]));
  expect(shown).toMatchInlineSnapshot(`
    {
      "a bar": "a <code>&#124;</code> b <code>&#124;&#124;</code> c <code>&#92;&#124;</code> d <code>&#92;&#92;&#124;</code> e",
      "a comment": "\`<!-- --> <![CDATA[\`",
      "a fence": "\`\`\`\` \`\`\`\\n# heading\\n\`\`\` \`\`\`\`",
      "a link": "\`[click](javascript:alert(1)) ![x](https://evil.test/x.png) <https://evil.test> https://evil.test www.evil.test\`",
      "a list": "\`- one\\n2. two\\n> quote\\n# heading\\n---\\n code\\n\\tcode\`",
      "a mention": "\`@torvalds\` cc \`@a2aproject/maintainers a@b.test\` fixes \`#1 GH-1 a2aproject/A2A#1\`",
      "a script": "\`<script>alert(1)</script>\`",
      "a workflow command": "\`::error::owned\\n ::set-output name=a::b\\n#\\u0023[error]owned #\\u0023vso[task.complete result=Failed;]\`",
      "an attribute that ends": "\`"><img\` src=x \`onerror=alert(1)>'\` onmouseover='x",
      "an end of CDATA": "\`]]></failure><testcase name='fake'/>\`",
      "an end of details": "\`</details></summary></pre></code>\`",
      "an entity": "\`&lt;b&gt; &#0; &amp\`",
      "ansi": "\`\\u001b[31mred\\u001b[0m \\u009b31m \\u0007 \\u0008\`",
      "backticks": "\`\`\`\` \` \`\` \`\`\` \`\`\`\` a \`b\` \`\`\`\`\` \`\`\`\` \` \`\`\`\`\`",
      "emphasis": "\`**bold** _it_ ~~no~~ $x^2$ :tada: [^1] \\\`",
      "invisible text": "\`a\\u200bb\\u2060\\ufeff\\u00ad\\u{e0041}\\u{e007f}\`",
      "lines of other kinds": "\`a\\r\\nb\\rc\\u2028d\\u2029e\\u0085f\\u000bg\\u000ch\`",
      "lone surrogates": "\`a\\ud800b\\udc00c\\ud83d\`",
      "nothing": "",
      "nul": "\`a\\u0000b\`",
      "pictures": "👩‍👩‍👧 é 日本語 العربية",
      "spaces": "",
      "text that turns around": "\`a\\u202etxt.exe\\u2066\\u200f\\u061c\` b",
      "what is no character": "\`\\ufffe\\uffff﷐\`",
    }
  `);
});

test("in Markdown the code that a sentence marks stays code", () => {
  const sentences = [
    "Set `authorizationUrl`, `tokenUrl` and `scopes` ({} if there are none).",
    "Return `error and data`, not both (`error`/`data`).",
    "the `kind`'s value is `a|b`",
    "`a`@`b` `` `",
    "TaskNotFound (HTTP 404, NOT_FOUND) or (TASK_LOST), f(a_b).",
    "Answer {error: {code, status, message, details}} and stop.",
    "Return {tasks, nextPageToken}. An open { and more words.",
  ];
  expect(sentences.map(prose)).toEqual([
    "Set `authorizationUrl`, `tokenUrl` and `scopes` (`{}` if there are none).",
    "Return `error and data`, not both (`error`/`data`).",
    "the `kind`'s value is <code>a&#124;b</code>",
    "``` `a`@`b` `` ` ```",
    "TaskNotFound (HTTP 404, `NOT_FOUND`) or `(TASK_LOST), f(a_b)`.",
    "Answer `{error: {code, status, message, details}}` and stop.",
    "Return `{tasks, nextPageToken}`. An open `{` and more words.",
  ]);
});

test("a span of code holds its text, whatever backticks are in it", () => {
  expect(["a", "`", "a``b`c", " a", "a|b", "", "  "].map(code)).toEqual([
    "`a`",
    "`` ` ``",
    "```a``b`c```",
    "`  a `",
    "<code>a&#124;b</code>",
    "(empty)",
    "`    `",
  ]);
  fc.assert(
    fc.property(anyText, (text) => {
      expect(outsideCode(code(text))).toMatch(/^(|\(empty\))$/);
    }),
  );
});

test("any text at all is words and code in Markdown, on one line", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      // Outside of code nothing is left that Markdown or GitHub could take for anything but words.
      const words = outsideCode(prose(text));
      expect(words).toMatch(/^[^\n\r<>[\]{}*_`|\\~$@#^&]*$/);
      expect(words).not.toMatch(/:\/\/|www\.|::/i);
      expect(words).not.toMatch(/^\s*([-+=]|\d+[.)]( |$))/);
    }),
  );
});

test("a text that is too long says how much is missing, and is not cut within a character", () => {
  expect(cut("abcdef", 6)).toBe("abcdef");
  expect(cut("abcdef", 4)).toBe("abcd… (2 more characters)");
  expect(cut("abc😀def", 4)).toBe("abc… (5 more characters)");
});

/** What a reader of Markdown sees besides spans of code, found as CommonMark §6.1 says: a run of backticks to its like. */
function outsideCode(markdown: string): string {
  let text = markdown.replace(/<code>(?:[^<>&|`\n]|&#\d+;)*<\/code>/g, "");
  for (let from = 0; ; ) {
    const start = text.indexOf("`", from);
    if (start === -1) return text;
    const ticks = /^`+/.exec(text.slice(start))![0];
    const rest = text.slice(start + ticks.length);
    const end = [...rest.matchAll(/`+/g)].find(([run]) => run === ticks)?.index;
    if (end === undefined) from = start + ticks.length;
    else text = text.slice(0, start) + rest.slice(end + ticks.length);
  }
}
