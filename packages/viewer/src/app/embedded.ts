/** The embedded API responses of a static page. The id of each element is the path of the API. */
const answers = new Map(
  [...document.querySelectorAll('script[type="application/json"]')].map((element) => [element.id, element]),
);

/** true if the page was opened from a file or a static site: there is no server to ask */
export const isStatic = answers.size > 0;

/** The route that a static page opens first. */
export const startLink = document.documentElement.dataset["start"] ?? "";

/** Returns true if this path is available. A path that ends with `/` stands for everything below it. */
export const isAnswered = (path: `/api/${string}`): boolean =>
  !isStatic || answers.has(path) || (path.endsWith("/") && [...answers.keys()].some((known) => known.startsWith(path)));

/** Reads one response. Each is parsed only when it is shown. */
export function embedded(path: string): unknown {
  const text = answers.get(path)?.textContent;
  return text === undefined || text === null ? undefined : JSON.parse(text);
}
