import type { ComponentType } from "preact";
import { isAnswered, isStatic } from "./embedded.ts";
import type { PageRoute } from "./route.ts";

/** What a page is made of; it is loaded when it is first looked at. */
export interface PageModule {
  readonly Page: ComponentType<{ readonly route: PageRoute }>;
  /** what stands beside the address of the agent */
  readonly Actions?: ComponentType<{ readonly route: PageRoute }>;
}

export interface PageEntry {
  /** the first word of its address */
  readonly id: string;
  /** on the rail; absent for a page that belongs to another */
  readonly title?: string;
  /** the page of the rail to which it belongs */
  readonly under?: string;
  /** what it asks for; a page in a file has it if that is in the file. Absent: it needs a server */
  readonly asks?: `/api/${string}`;
  readonly load: () => Promise<PageModule>;
}

/** All pages, in the order of the rail. */
const all: readonly PageEntry[] = [
  { id: "test", title: "Test", load: () => import("../pages/test/page.tsx") },
  { id: "runs", under: isStatic ? "history" : "test", asks: "/api/runs", load: () => import("../pages/run/page.tsx") },
  { id: "talk", title: "Talk", load: () => import("../pages/talk/page.tsx") },
  { id: "watch", title: "Watch", load: () => import("../pages/watch/page.tsx") },
  { id: "matrix", title: "Matrix", asks: "/api/matrices", load: () => import("../pages/matrix/page.tsx") },
  { id: "fleet", title: "Fleet", asks: "/api/fleets", load: () => import("../pages/fleet/page.tsx") },
  { id: "history", title: "History", asks: "/api/runs", load: () => import("../pages/history/page.tsx") },
  { id: "rules", title: "Rules", asks: "/api/rules", load: () => import("../pages/rules/page.tsx") },
];

export const pages = all.filter(({ asks }) => !isStatic || (asks !== undefined && isAnswered(asks)));

/** The page that is shown where the address names none. */
export const firstPage = isStatic ? "history" : "test";
