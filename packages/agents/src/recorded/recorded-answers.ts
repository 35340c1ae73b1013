import type { HarEntry } from "@assay/wire";
import { contentOf, type RequestContent } from "./request-content.ts";

interface RecordedAnswer {
  readonly entry: HarEntry;
  readonly content: RequestContent;
}

/**
 * Finds the recorded answer to a request. It is one to the same question (method, address, JSON-RPC method or gRPC call) with the same
 * parameters, ids of messages apart; where there is none and the request is a message, one to the same words in the same
 * task. Of several, those whose header fields are most alike count (version, login, extensions, content type), in the order
 * in which they were recorded: each request gets the next, and the last one stays.
 */
export class RecordedAnswers {
  readonly #byParams = new Map<string, RecordedAnswer[]>();
  readonly #byWords = new Map<string, RecordedAnswer[]>();
  readonly #given = new Map<string, number>();

  constructor(entries: readonly HarEntry[]) {
    for (const entry of entries) {
      // What was never answered is no answer to anybody.
      if (!entry.response.status || !URL.canParse(entry.request.url)) continue;
      const answer = { entry, content: contentOfEntry(entry) };
      const { asked, params, words } = answer.content;
      push(this.#byParams, `${asked}\n${params}`, answer);
      if (words !== undefined) push(this.#byWords, `${asked}\n${words}`, answer);
    }
  }

  find(content: RequestContent): HarEntry | undefined {
    const { asked, params, words } = content;
    const exact = this.#byParams.get(`${asked}\n${params}`);
    const candidates = exact ?? (words === undefined ? undefined : this.#byWords.get(`${asked}\n${words}`));
    if (!candidates) return undefined;
    const best = Math.max(...candidates.map((each) => likeness(each.content, content)));
    const alike = candidates.filter((each) => likeness(each.content, content) === best);
    const key = `${asked}\n${exact ? params : words}\n${best}`;
    const turn = this.#given.get(key) ?? 0;
    this.#given.set(key, turn + 1);
    return alike[Math.min(turn, alike.length - 1)]!.entry;
  }

  /** What the recording knows an answer to, for those who ask for something else. */
  get asked(): string[] {
    return [...new Set([...this.#byParams.values()].map(([first]) => first!.content.asked))];
  }
}

function push(into: Map<string, RecordedAnswer[]>, key: string, answer: RecordedAnswer): void {
  const known = into.get(key);
  if (known) known.push(answer);
  else into.set(key, [answer]);
}

function contentOfEntry({ request }: HarEntry): RequestContent {
  const { postData, method, url, headers } = request;
  const { pathname, search } = new URL(url);
  return contentOf({
    method,
    path: `${pathname}${search}`,
    headers: headers.map(({ name, value }) => [name, value] as const),
    body: Buffer.from(postData?.text ?? "", postData?._encoding ?? "utf8"),
  });
}

/** How much the header fields of two requests have in common, of those that decide about an answer. */
function likeness(recorded: RequestContent, now: RequestContent): number {
  const same = (name: string): boolean => recorded.headers.get(name) === now.headers.get(name);
  return (
    (same("a2a-version") ? 8 : 0) +
    (loginOf(recorded) === loginOf(now) ? 4 : 0) +
    (same("a2a-extensions") && same("x-a2a-extensions") ? 2 : 0) +
    (same("content-type") ? 1 : 0)
  );
}

const loginFields = ["authorization", "x-api-key", "api-key", "cookie"];
/** In recordings, a credential that nobody has is called after the header that held it. */
const nobodys = /«secret:(?:authorization|x-api-key|api-key|cookie)»/;

/** Whether somebody logged in: whatever is shown now is taken for good. */
function loginOf({ headers }: RequestContent): "none" | "good" | "made-up" {
  const shown = loginFields.flatMap((name) => headers.get(name) ?? []);
  if (!shown.length) return "none";
  return shown.some((value) => nobodys.test(value)) ? "made-up" : "good";
}
