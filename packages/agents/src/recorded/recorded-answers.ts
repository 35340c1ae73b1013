import type { HarEntry } from "@assay/wire";
import { contentOf, type RequestContent } from "./request-content.ts";

interface RecordedAnswer {
  readonly entry: HarEntry;
  readonly content: RequestContent;
}

/**
 * Finds the recorded response to a request. It matches the method, address, JSON-RPC method or gRPC call, and
 * the parameters except message ids. If a message has no such match, one with the same words in the same task
 * counts. Of several, those with the most similar headers win (version, login, extensions, content type).
 * They are used in recorded order, and the last one is repeated.
 */
export class RecordedAnswers {
  readonly #byParams = new Map<string, RecordedAnswer[]>();
  readonly #byWords = new Map<string, RecordedAnswer[]>();
  readonly #given = new Map<string, number>();

  constructor(entries: readonly HarEntry[]) {
    for (const entry of entries) {
      // An unanswered request has no response to replay.
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

  /** Lists the requests with a recorded response, for the error about another one. */
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

/** Counts the equal headers of two requests, among those that affect a response. */
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
/** In recordings, an invalid credential is named after its header. */
const nobodys = /«secret:(?:authorization|x-api-key|api-key|cookie)»/;

/** Returns the kind of login. Any current credential counts as valid. */
function loginOf({ headers }: RequestContent): "none" | "good" | "made-up" {
  const shown = loginFields.flatMap((name) => headers.get(name) ?? []);
  if (!shown.length) return "none";
  return shown.some((value) => nobodys.test(value)) ? "made-up" : "good";
}
