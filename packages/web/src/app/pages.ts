import type { ComponentType } from "preact";
import type { PageRoute } from "./route.ts";
import { isExported } from "./site.ts";

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
  /** it asks things of the server, so an exported site does not have it */
  readonly needsServer?: true;
  readonly load: () => Promise<PageModule>;
}

/** All pages, in the order of the rail. */
const all: readonly PageEntry[] = [
  { id: "test", title: "Test", needsServer: true, load: () => import("../pages/test/page.tsx") },
  { id: "runs", under: isExported ? "history" : "test", load: () => import("../pages/run/page.tsx") },
  { id: "talk", title: "Talk", needsServer: true, load: () => import("../pages/talk/page.tsx") },
  { id: "watch", title: "Watch", needsServer: true, load: () => import("../pages/watch/page.tsx") },
  { id: "matrix", title: "Matrix", load: () => import("../pages/matrix/page.tsx") },
  { id: "history", title: "History", load: () => import("../pages/history/page.tsx") },
  { id: "rules", title: "Rules", load: () => import("../pages/rules/page.tsx") },
];

export const pages = all.filter(({ needsServer }) => !isExported || !needsServer);

/** The page that is shown where the address names none. */
export const firstPage = isExported ? "history" : "test";
