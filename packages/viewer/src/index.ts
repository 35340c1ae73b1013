export { icon } from "#asset";
export { type StaticPage, servedPage, servedPolicy, viewerPage } from "./page.ts";
