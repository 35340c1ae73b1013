import { expect, test } from "vitest";
import { otherPlace } from "./first-contact.ts";

test.each([
  ["http://127.0.0.1:9998/", "port (9998) than the one it was fetched from (9999)"],
  ["https://localhost/a2a", "port (443) than the one it was fetched from (9999)"],
  ["http://agent.example:9999/", "host (agent.example) than the one it was fetched from (127.0.0.1)"],
])("a card that names %s was fetched from another place", (url, told) => {
  expect(otherPlace(url, "http://127.0.0.1:9999/.well-known/agent-card.json")).toBe(
    `the card names a different ${told}: `,
  );
});

test.each(["http://127.0.0.1:9999/rpc", "http://localhost:9999/"])("%s is where the card came from", (url) => {
  expect(otherPlace(url, "http://127.0.0.1:9999/.well-known/agent-card.json")).toBe("");
});
