import { expect, test } from "vitest";
import { parseRequestTarget } from "./request-target.ts";

test.each([
  [
    "/spec/tasks/a%2Fb?pageSize=2&x=?",
    {
      path: "/spec/tasks/a%2Fb",
      query: "pageSize=2&x=?",
      local: "/spec/tasks/a%2Fb?pageSize=2&x=?",
      authority: undefined,
    },
  ],
  ["/", { path: "/", query: "", local: "/", authority: undefined }],
  ["//evil.example/x", { path: "//evil.example/x", query: "", local: "//evil.example/x", authority: undefined }],
  ["http://Host:8080/spec?a", { path: "/spec", query: "a", local: "/spec?a", authority: "Host:8080" }],
  ["https://host", { path: "/", query: "", local: "/", authority: "host" }],
  ["http://host?a", { path: "/", query: "a", local: "/?a", authority: "host" }],
  ["*", { path: "*", query: "", local: "*", authority: undefined }],
])("%s", (target, parsed) => {
  expect(parseRequestTarget(target)).toEqual(parsed);
});
