import { icon, servedPage } from "@assay/viewer";

interface PageFile {
  readonly type: string;
  readonly body: string;
}

/** The page of `assay ui`: one file, and its picture. */
export const pageFiles: ReadonlyMap<string, PageFile> = new Map([
  ["/", { type: "text/html; charset=utf-8", body: servedPage() }],
  ["/icon.svg", { type: "image/svg+xml", body: icon }],
]);
