import { sitePage } from "@assay/reporters/page";

/** By which a page of ours is known. */
export const siteMark = '<meta name="generator" content="assay matrix">';

export const page = (frame: Omit<Parameters<typeof sitePage>[0], "mark" | "scripts">): string =>
  sitePage({ mark: siteMark, scripts: ["script.js"], ...frame });
