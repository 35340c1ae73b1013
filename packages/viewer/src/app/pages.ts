import type { ComponentType } from "preact";
import * as fleet from "../pages/fleet/page.tsx";
import * as history from "../pages/history/page.tsx";
import * as matrix from "../pages/matrix/page.tsx";
import * as rules from "../pages/rules/page.tsx";
import * as run from "../pages/run/page.tsx";
import * as talk from "../pages/talk/page.tsx";
import * as test from "../pages/test/page.tsx";
import * as upgrade from "../pages/upgrade/page.tsx";
import * as watch from "../pages/watch/page.tsx";
import { isAnswered, isStatic } from "./embedded.ts";
import type { PageRoute } from "./route.ts";

interface PageEntry {
  /** the first segment of its URL */
  readonly id: string;
  /** the title on the rail; absent for a page that belongs to another */
  readonly title?: string;
  /** the page on the rail that it belongs to */
  readonly under?: string;
  /** the API path that the page shows; a static page has it if it embeds that path. Absent: the page needs a server */
  readonly asks?: `/api/${string}`;
  readonly view: {
    readonly Page: ComponentType<{ readonly route: PageRoute }>;
    /** controls next to the address of the agent */
    readonly Actions?: ComponentType<{ readonly route: PageRoute }>;
  };
}

/** All pages, in the order of the rail. */
const all: readonly PageEntry[] = [
  { id: "test", title: "Test", view: test },
  { id: "runs", under: isStatic ? "history" : "test", asks: "/api/runs/", view: run },
  { id: "talk", title: "Talk", view: talk },
  { id: "watch", title: "Watch", view: watch },
  { id: "matrix", title: "Matrix", asks: "/api/matrices/", view: matrix },
  { id: "fleet", title: "Fleet", asks: "/api/fleets", view: fleet },
  { id: "history", title: "History", asks: "/api/runs", view: history },
  { id: "upgrade", under: "history", asks: "/api/upgrade", view: upgrade },
  { id: "rules", title: "Rules", asks: "/api/rules", view: rules },
];

/** The pages that are available here. The first one is the default. */
export const pages = all.filter(({ asks }) => !isStatic || (asks !== undefined && isAnswered(asks)));
