import { viewerPage } from "@assay/viewer";
import type { PlanPage } from "@assay/viewer/documents";
import { planMarkdown } from "./markdown.ts";

/** Renders a page that needs no server and no network: the viewer with the plan in it. */
export const planHtml = (page: PlanPage): string =>
  viewerPage({
    title: `${page.title} · Assay`,
    start: "#/upgrade",
    data: { "/api/upgrade": page },
    summary: planMarkdown(page),
  });
