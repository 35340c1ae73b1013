export { icon } from "#asset";
export { type StaticPage, servedPage, servedPolicy, type ViewerAssets, viewerAssets, viewerPage } from "./page.ts";
