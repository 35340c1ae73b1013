import type { AgentAccess } from "../documents/runs.ts";
import { Store } from "./store.ts";

/**
 * The agent that all pages are about, and the login for it. In the memory of this page and nowhere else: no storage, no
 * address, no export sees a secret; a reload forgets them.
 */
export const agent = new Store<AgentAccess>({ url: "" });

/** Takes up another agent; its login is not that of the one before, unless it is the same host. */
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

/** The address as it may stand in that of the page: without a login, and without what follows a `?`, where tokens are. */
export const shareable = (url: string): string =>
  url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i, "$1").replace(/[?#].*$/s, "");
