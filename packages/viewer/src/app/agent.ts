import type { AgentAccess } from "../documents/runs.ts";
import { Store } from "./store.ts";

/**
 * The agent of all pages, and the login for it. It stays only in the memory of this page: no storage, URL or export
 * contains a secret. A reload clears it.
 */
export const agent = new Store<AgentAccess>({ url: "" });

/** Switches to another agent. Keeps the login only if the host is the same. */
export function meet(url: string): void {
  const { url: before, ...access } = agent.value;
  if (url === before) return;
  agent.set(isSameOrigin(before, url) ? { ...access, url } : { url });
}

const isSameOrigin = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map(asUrl);
  return a !== undefined && b !== undefined && a.origin === b.origin;
};

function asUrl(text: string): URL | undefined {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

/**
 * Returns the address in a form that is safe in the page's URL: without a login, and without the query, which may hold
 * tokens.
 */
export const shareable = (url: string): string =>
  url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i, "$1").replace(/[?#].*$/s, "");
