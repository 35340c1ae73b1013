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
  /** the first word of its address */
  readonly id: string;
  /** on the rail; absent for a page that belongs to another */
  readonly title?: string;
  /** the page of the rail to which it belongs */
  readonly under?: string;
  /** the path of the API that it shows; a page in a file has it if that is in the file. Absent: it needs a server */
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

/** Those that can be shown here; the first is shown where the address names none. */
export const pages = all.filter(({ asks }) => !isStatic || (asks !== undefined && isAnswered(asks)));
