import type { HarEntry } from "@assay/suite/report";
import fc from "fast-check";
import { expect, test } from "vitest";
import { nastyStrings, runThatSays } from "./hostile.case.ts";
import { scriptDigest } from "./html/script.ts";
import { html } from "./html.ts";
import { manyResults, nobodyThere, oneFailure, runFrom, sampleRun, sampleWith } from "./sample.case.ts";
import { tagsOf } from "./tags.case.ts";

const withAnswer = (entry: HarEntry, text: string): HarEntry => ({
  ...entry,
  response: { ...entry.response, content: { size: text.length, mimeType: "text/plain", text } },
});

/** Backticks in a sentence say "code", whoever writes them; and what is JSON may have a place that is marked. */
const tags = (text: string): string[] => tagsOf(html(runThatSays(text))).filter((tag) => !/^\/?(code|mark)$/.test(tag));

test("the page of a small run", () => {
  const page = html(sampleWith([oneFailure]));
  expect(/<main .*<\/main>/s.exec(page)![0]).toMatchInlineSnapshot(`
    "<main id="found">
    <div class="filters panel" role="group" aria-label="What is shown">
    <fieldset><legend>Show</legend><label><input type="radio" name="show" id="show-all" checked> everything</label> <label><input type="radio" name="show" id="show-fail"> failed</label> <label><input type="radio" name="show" id="show-warning"> warnings</label> <label><input type="radio" name="show" id="show-skip"> skipped</label> <label><input type="radio" name="show" id="show-pass"> passed</label> </fieldset>

    <p class="by-rule" hidden><label><span>Find</span> <input type="search" id="by-rule" placeholder="rule or word" autocomplete="off" spellcheck="false"></label> <output id="shown" aria-live="polite"></output></p>
    </div>
    <section aria-labelledby="fix-first"><h2 id="fix-first">Fix first</h2>
    <details class="finding item fail panel at-0" id="fix-1" open>
    <summary><h3><span class="number">1</span> GetTask answers -32603 for an unknown task</h3>
    <span class="meta"><b class="id">ERR-020</b> <span class="chip">JSON-RPC</span></span></summary>
    <p class="title">MUST <a href="https://a2a-protocol.org/v1.0.1/specification/#54" rel="noreferrer">§5.4</a>: GetTask of an unknown task is TaskNotFound.</p>
    <dl class="proof"><div><dt>sent</dt><dd class="mono">{&quot;jsonrpc&quot;:&quot;2.0&quot;,&quot;id&quot;:3,&quot;method&quot;:&quot;GetTask&quot;,&quot;params&quot;:{&quot;id&quot;:&quot;3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11&quot;}}</dd></div><div><dt>saw</dt><dd class="mono">{&quot;jsonrpc&quot;:&quot;2.0&quot;,&quot;id&quot;:3,&quot;error&quot;:{&quot;code&quot;:-32603,&quot;message&quot;:&quot;KeyError: &#39;3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11&#39;&quot;}}</dd></div><div><dt>want</dt><dd>error.code -32001 (TaskNotFound)</dd></div><div><dt>fix</dt><dd>Catch the lookup error in your GetTask handler and answer with TaskNotFoundError.</dd></div><div><dt>reproduce</dt><dd class="mono">curl -s http://127.0.0.1:9999/ -H &#39;A2A-Version: 1.0&#39; -H &#39;Content-Type: application/json&#39; -d &#39;{&quot;jsonrpc&quot;:&quot;2.0&quot;,&quot;id&quot;:3,&quot;method&quot;:&quot;GetTask&quot;,&quot;params&quot;:{&quot;id&quot;:&quot;3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11&quot;}}&#39;</dd></div></dl>


    <details class="evidence"><summary>1 exchange as recorded</summary>
    <section class="exchange" id="exchange-5">
    <h4><span class="mono">POST http://127.0.0.1:9999/</span> <span class="mono">→ 200</span>
    <small>exchange 5, 5 ms, for an unknown task</small></h4>
    <div class="sides">
    <div><h5>request</h5><pre tabindex="0">POST http://127.0.0.1:9999/ HTTP/1.1
    A2A-Version: 1.0
    Authorization: Bearer [masked]
    Content-Type: application/json

    {
      &quot;jsonrpc&quot;: &quot;2.0&quot;,
      &quot;id&quot;: 3,
      &quot;method&quot;: &quot;GetTask&quot;,
      &quot;params&quot;: {
        &quot;id&quot;: &quot;3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11&quot;
      }
    }
    </pre></div>
    <div><h5>answer</h5><pre tabindex="0">HTTP/1.1 200 OK
    content-type: application/json
    server: uvicorn

    {
      &quot;jsonrpc&quot;: &quot;2.0&quot;,
      &quot;id&quot;: 3,
      &quot;error&quot;: {
        <mark>&quot;code&quot;: -32603, ◀</mark>
        &quot;message&quot;: &quot;KeyError: &#39;3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11&#39;&quot;
      }
    }
    </pre></div>
    </div>
    </section>

    </details></details>
    </section>




    <section aria-labelledby="notes"><h2 id="notes">Notes</h2><ul class="lines">
    <li>Not tested: JSON-RPC 0.2 at http://127.0.0.1:9999/: 0.2 is tested only with --dialect 0.2</li>
    <li>hooks.example.com was not contacted: it is not among the allowed hosts (--allow-host)</li></ul></section>
    <section aria-labelledby="results" class="results"><h2 id="results">All results</h2>
    <details class="category panel"><summary><h3>Error handling</h3> <span class="tally"><b class="fail">1 failed</b> · 0 passed · 0 skipped</span></summary>
    <table><thead><tr><th scope="col">verdict</th><th scope="col">rule</th><th scope="col">where</th><th scope="col">what was found</th></tr></thead>
    <tbody>
    <tr class="item fail at-0"><td><span class="verdict fail">fail</span></td><th scope="row"><a href="https://a2a-protocol.org/v1.0.1/specification/#54" rel="noreferrer" title="§5.4">ERR-020</a></th><td>JSON-RPC</td><td>GetTask of an unknown task is TaskNotFound<small>GetTask answers -32603 for an unknown task</small> <a href="#fix-1">see 1 above</a></td></tr>
    </tbody></table></details>
    </section>
    </main>"
  `);
});

test("the page asks nobody for anything, and forbids it; the one script that runs is its own", () => {
  const page = html(sampleRun);
  expect(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)![1]).toBe(
    `default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; script-src &#39;sha256-${scriptDigest}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;`,
  );
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(tagsOf(page)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(img|link|iframe|form)$/)]));
  expect(page).not.toMatch(/ src=|url\(|@import| on[a-z]+=/);
});

test("all failures are listed at the top, in the order of importance, with the way to each", () => {
  const nav = /<nav.*<\/nav>/s.exec(html(sampleRun))![0];
  const listed = [...nav.matchAll(/<h3>([^<]*)|href="(#fix-\d+)|<small>([A-Z]+-\d+)/g)].map(
    ([, head, link, id]) => head ?? link ?? id,
  );
  expect(listed).toEqual([
    ...["Holds others up", "#fix-1", "ERR-020"],
    ...["Beside the core", "#fix-2", "LIST-003", "#fix-3", "STREAM-003"],
  ]);
});

test("the first failures are unfolded, the others by a click", () => {
  const results = Array.from({ length: 5 }, (_, index) => ({
    ...oneFailure,
    test: `ERR-10${index}`,
    operation: `Operation${index}`,
    evidence: [],
  }));
  const folds = [...html(sampleWith(results)).matchAll(/<details class="finding[^>]*?( open)?>/g)];
  expect(folds.map(([, open]) => open !== undefined)).toEqual([true, true, true, false, false]);
});

test("what is shown can be chosen by verdict and by binding without a script", () => {
  const page = html(sampleRun);
  const binding = /<label><input type="radio" name="at" id="(at-\d+)"> HTTP\+JSON<\/label>/.exec(page)![1]!;
  expect(page).toContain(`body:has(#${binding}:checked) .item:not(.${binding})`);
  expect(page).toContain("body:has(#show-fail:checked) .item:not(.fail)");
  const rows = [...page.matchAll(/<tr class="item ([^"]*)">.*?<\/th><td>([^<]*)<\/td>/g)];
  for (const [, classes, where] of rows)
    expect([classes, classes!.split(" ").includes(binding)]).toEqual([classes, where!.includes("HTTP+JSON")]);
});

test("2,000 results, each failure with its exchanges, stay below 10 MB", () => {
  const long = JSON.stringify({
    words: Array.from({ length: 400 }, (_, index) => `${index} ${"<".repeat(400)}`),
  });
  const results = manyResults(2000).map((result, index) =>
    result.verdict === "pass" && index % 4 === 0
      ? { ...oneFailure, test: `ERR-1${index}`, operation: `Operation${index}`, evidence: [`y${index}`] }
      : result,
  );
  const { events } = sampleWith(results);
  const example = events.find((event) => event.event === "exchange")!;
  const exchanges = results.flatMap(({ evidence }) =>
    evidence.map((id) => ({ ...example, id, entry: withAnswer(example.entry, long) })),
  );
  const run = runFrom([...events, ...exchanges]);
  const page = html(run);
  expect(run.report.summary.total).toBe(2000);
  expect(page.length).toBeLessThan(10_000_000);
  expect(page).toMatch(/<p>1 in the HAR report<\/p>/);
});

test("headings go down one step at a time, and every table names its columns", () => {
  const page = html(sampleRun);
  const levels = tagsOf(page)
    .flatMap((tag) => /^h(\d)$/.exec(tag)?.[1] ?? [])
    .map(Number);
  expect(levels[0]).toBe(1);
  for (const [index, level] of levels.slice(1).entries()) expect(level - levels[index]!).toBeLessThanOrEqual(1);
  expect(page.match(/<table/g)?.length).toBe(page.match(/<thead><tr><th scope="col">/g)?.length);
});

test("every link within the page leads somewhere", () => {
  const page = html(sampleRun);
  const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
  const targets = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
  expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  expect(ids.size).toBe(page.match(/ id="/g)!.length);
});

test("an exchange is shown once, long ones are cut, and what is missing is said", () => {
  const long = sampleRun.events.map((event) =>
    event.event === "exchange" && event.id === "x5"
      ? { ...event, entry: withAnswer(event.entry, "x".repeat(9000)) }
      : event,
  );
  const results = [oneFailure, { ...oneFailure, test: "ERR-021", message: "the same again", operation: "ListTasks" }];
  const page = html({ ...sampleWith(results), events: long });
  expect(page).toContain("… (4904 more characters)");
  expect(page.match(/x{4096}/g)).toHaveLength(1);
  expect(page).toContain(
    '<a href="#exchange-5">exchange 5</a>, shown elsewhere on this page; look at <code>$.error.code</code>',
  );
});

test("a run that found nobody says so at once", () => {
  const page = html(nobodyThere);
  expect(page).toContain('<p class="outcome">inconclusive</p>');
  expect(page).toContain("Nothing answers at http://127.0.0.1:9999 (connection refused, tried 6 times in 10 s).");
  expect(page).not.toContain("0 of 0");
});

const structure = tags("plain");

test.each(Object.entries(nastyStrings).filter(([, text]) => text.trim() !== ""))(
  "%s from an agent leaves the page as it is",
  (_, text) => {
    expect(tags(text)).toEqual(structure);
  },
);

test("no text from an agent changes the page", () => {
  const text = fc.string({ unit: "binary", minLength: 1 });
  fc.assert(
    fc.property(text, (said) => {
      expect(tags(said)).toEqual(structure);
    }),
    { numRuns: 50 },
  );
});

test("only an address on the web becomes a link", () => {
  const page = (specUrl: string): string => html(sampleWith([{ ...oneFailure, specUrl }]));
  expect(page("https://a2a-protocol.org/latest/#54")).toContain('<a href="https://a2a-protocol.org/latest/#54"');
  for (const address of ["javascript:alert(1)", "http://a.test/", "data:text/html,x", 'https://a.test/"onclick="x'])
    expect(page(address)).not.toContain(`href="${address.slice(0, 12)}`);
});
