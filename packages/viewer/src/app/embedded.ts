/** The answers that a page in a file brings along, each in an element whose id is the path of the API. */
const answers = new Map(
  [...document.querySelectorAll('script[type="application/json"]')].map((element) => [element.id, element]),
);

/** The page was opened from a file, or lies on a site of files: there is no server to ask. */
export const isStatic = answers.size > 0;

/** The place at which a page in a file opens. */
export const startLink = document.documentElement.dataset["start"] ?? "";

/** Returns true if this path is available. A path that ends with `/` stands for everything below it. */
export const isAnswered = (path: `/api/${string}`): boolean =>
  !isStatic || answers.has(path) || (path.endsWith("/") && [...answers.keys()].some((known) => known.startsWith(path)));

/** Reads one answer; each is parsed only when it is looked at. */
export function embedded(path: string): unknown {
  const text = answers.get(path)?.textContent;
  return text === undefined || text === null ? undefined : JSON.parse(text);
}
