import { expect, test } from "vitest";
import { type ApiRoute, json, matchRoute } from "./route.ts";

const route = (method: ApiRoute["method"], path: ApiRoute["path"]): ApiRoute => ({
  method,
  path,
  answer: () => json({}),
});
const routes = [route("GET", "/api/runs"), route("POST", "/api/runs"), route("GET", "/api/runs/:run/exchanges/:id")];

test("a path has a route, and its parts have their names", () => {
  expect(matchRoute(routes, "POST", "/api/runs")).toEqual({ route: routes[1], params: {} });
  expect(matchRoute(routes, "GET", "/api/runs/a%20b/exchanges/e1")).toMatchObject({ params: { run: "a b", id: "e1" } });
});

test.each(["/api/run", "/api/runs/", "/api/runs/x", "/api/runs//exchanges/e1", "/api/runs/%zz/exchanges/e1"])(
  "%s is nothing",
  (path) => {
    expect(matchRoute(routes, "GET", path)).toBeUndefined();
  },
);

test("a path that is there says what it takes", () => {
  expect(matchRoute(routes, "DELETE", "/api/runs")).toEqual(["GET", "POST"]);
});
