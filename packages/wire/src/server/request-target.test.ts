import { expect, test } from "vitest";
import { parseRequestTarget } from "./request-target.ts";

test.each([
  ["/spec/tasks/a%2Fb?pageSize=2&x=?", { path: "/spec/tasks/a%2Fb", query: "pageSize=2&x=?", authority: undefined }],
  ["/", { path: "/", query: "", authority: undefined }],
  ["//evil.example/x", { path: "//evil.example/x", query: "", authority: undefined }],
  ["http://Host:8080/spec?a", { path: "/spec", query: "a", authority: "Host:8080" }],
  ["https://host", { path: "/", query: "", authority: "host" }],
  ["http://host?a", { path: "/", query: "a", authority: "host" }],
  ["*", { path: "*", query: "", authority: undefined }],
])("%s", (target, parsed) => {
  expect(parseRequestTarget(target)).toEqual(parsed);
});
