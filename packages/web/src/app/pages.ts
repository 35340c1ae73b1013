import type { ComponentType } from "preact";
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
  readonly load: () => Promise<PageModule>;
}

/** All pages, in the order of the rail. */
export const pages: readonly PageEntry[] = [
  { id: "test", title: "Test", load: () => import("../pages/test/page.tsx") },
  { id: "runs", under: "test", load: () => import("../pages/run/page.tsx") },
  { id: "rules", title: "Rules", load: () => import("../pages/rules/page.tsx") },
];
