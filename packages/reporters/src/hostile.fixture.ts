import type { ConformanceResult, RunEvent } from "@assay/suite/report";
import type { Run } from "./run.ts";
import { oneFailure, runFrom, sampleRun } from "./sample.fixture.ts";

/** Texts with which an agent could break a report, or attack its reader through it. */
export const nastyStrings: Record<string, string> = {
  "a script": "<script>alert(1)</script>",
  "an attribute that ends": `"><img src=x onerror=alert(1)>' onmouseover='x`,
  "an end of CDATA": "]]></failure><testcase name='fake'/>",
  "a comment": "<!-- --> <![CDATA[",
  "an entity": "&lt;b&gt; &#0; &amp",
  "an end of details": "</details></summary></pre></code>",
  "a bar": "a | b || c \\| d \\\\| e",
  backticks: "` `` ``` a `b` ```` `",
  "a fence": "```\n# heading\n```",
  "a link":
    "[click](javascript:alert(1)) ![x](https://evil.test/x.png) <https://evil.test> https://evil.test www.evil.test",
  "a mention": "@torvalds cc @a2aproject/maintainers a@b.test fixes #1 GH-1 a2aproject/A2A#1",
  emphasis: "**bold** _it_ ~~no~~ $x^2$ :tada: [^1] \\",
  "a list": "- one\n2. two\n> quote\n# heading\n---\n    code\n\tcode",
  "a workflow command": "::error::owned\n  ::set-output name=a::b\n##[error]owned ##vso[task.complete result=Failed;]",
  ansi: "\u001b[31mred\u001b[0m \u009b31m \u0007 \b",
  nul: "a\u0000b",
  "lone surrogates": "a\ud800b\udc00c\ud83d",
  "text that turns around": "a\u202etxt.exe\u2066\u200f\u061c b",
  "invisible text": "a\u200bb\u2060\ufeff\u00ad\u{e0041}\u{e007f}",
  "lines of other kinds": "a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh",
  "what is no character": "\ufffe\uffff\ufdd0",
  pictures: "👩‍👩‍👧 é 日本語 العربية",
  nothing: "",
  spaces: "   ",
};

/** Returns the sample with this text wherever a text of the agent may appear. */
export function runThatSays(text: string): Run {
  const on = { url: text, dialect: "1.0", binding: text };
  const about = (test: string, verdict: ConformanceResult["verdict"], more: Partial<ConformanceResult> = {}) => ({
    ...oneFailure,
    test,
    verdict,
    status: verdict === "pass" || verdict === "fail" ? verdict : ("skip" as const),
    message: text,
    sent: text,
    saw: text,
    want: text,
    remedy: text,
    repeat: text,
    title: text,
    section: text,
    specUrl: text,
    interface: on,
    operation: text,
    answer: text,
    place: { event: 0, path: text },
    compared: {
      part: "request" as const,
      ends: [
        { end: "client" as const, exchanges: oneFailure.evidence, shows: text },
        { end: "agent" as const, exchanges: [], shows: text },
      ] as const,
      header: text,
      place: { event: 0, path: text },
    },
    ...more,
  });
  const results: ConformanceResult[] = [
    about("A-1", "fail"),
    about("A-2", "fail", { expected: text }),
    about("A-3", "pass", { warning: text, info: text }),
    about("A-4", "blocked", { rootCause: "A-1" }),
    about("A-5", "not-examined", { unexamined: "prompt", enable: text }),
    about("A-6", "not-applicable"),
    about("A-7", "error"),
  ];
  const events = sampleRun.events.flatMap((event): RunEvent[] => {
    switch (event.event) {
      case "run-started":
        return [{ ...event, agentUrl: text, run: text }];
      case "agent-found":
        return [
          { ...event, name: text, version: text, interfaces: [on], leftOut: [{ interface: on, because: text }] },
          ...results.map((result): RunEvent => ({ event: "check-finished", result })),
        ];
      case "exchange":
        return [{ ...event, during: text, entry: hostileEntry(event.entry, text) }];
      case "check-finished":
        return [];
      case "note":
        return [{ ...event, text }];
      case "run-finished":
        return [{ ...event, ending: "interrupted", message: text, hint: text }];
      default:
        return [event];
    }
  });
  return runFrom(events);
}

type Entry = Extract<RunEvent, { event: "exchange" }>["entry"];

const hostileEntry = (entry: Entry, text: string): Entry => ({
  ...entry,
  request: {
    ...entry.request,
    method: text,
    url: text,
    headers: [{ name: text, value: text }],
    postData: { mimeType: text, text },
  },
  response: {
    ...entry.response,
    statusText: text,
    headers: [{ name: text, value: text }],
    content: { ...entry.response.content, mimeType: text, text },
    _trailers: [{ name: text, value: text }],
    _error: text,
  },
});
