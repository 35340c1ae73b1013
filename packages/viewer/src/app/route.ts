import { useLayoutEffect, useState } from "preact/hooks";
import { startLink } from "./embedded.ts";

/**
 * The current place in the app, such as "#/runs/2026-11-15T08-14-02/LIST-003?tab=traffic". Every view has such a URL.
 */
export interface PageRoute {
  /** empty if the URL names none */
  readonly page: string;
  /** the decoded path segments after the page */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

export function routeIn(hash: string): PageRoute {
  const [path = "", query = ""] = (hash || startLink).replace(/^#\/?/, "").split("?", 2);
  const [page = "", ...rest] = path.split("/").map(decoded);
  return { page, rest: rest.filter((part) => part !== ""), query: new URLSearchParams(query) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Replaces unpaired surrogates, which a URL cannot contain. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd");

/** Returns the URL of a place on the page. */
export function linkTo(
  page: string,
  rest: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const path = [page, ...rest].map((part) => encodeURIComponent(wellFormed(part))).join("/");
  const asked = new URLSearchParams(query).toString();
  return `#/${path}${asked ? `?${asked}` : ""}`;
}

export const go = (link: string): void => {
  location.hash = link;
};

/** Replaces the current URL with a more exact one, without a new entry in the browser history. */
export function refine(link: string): void {
  if (location.hash === link) return;
  history.replaceState(history.state, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): PageRoute {
  const [route, setRoute] = useState(() => routeIn(location.hash));
  // A layout effect runs before the page is visible, so no click on a link is missed.
  useLayoutEffect(() => {
    const follow = (): void => setRoute(routeIn(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
