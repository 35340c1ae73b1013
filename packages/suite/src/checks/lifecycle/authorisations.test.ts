import { describe, expect, test } from "vitest";
import { asksForSecret, openAddressesIn } from "./authorisations.ts";

describe("a secret is asked for in a message", () => {
  test.each([
    "Please reply with your password to go on.",
    "To continue, send me your API key.",
    "I cannot do that yet. Tell me the one-time code from your phone.",
  ])("by: %s", (words) => {
    expect(asksForSecret(words)).toBe(true);
  });

  test.each([
    "Authorise this agent, then send any message to go on.",
    "Log in at https://login.example.com and enter your password there.",
    "Type your password on the page that has opened.",
    "Never send your password to anybody.",
    "Please do not share your API key in this chat.",
    "Send me a message when you have approved it. Your secret stays with you.",
    "The access token has expired.",
  ])("not by: %s", (words) => {
    expect(asksForSecret(words)).toBe(false);
  });
});

test.each([
  ["Log in at http://login.example.com/x, please", ["http://login.example.com/x,"]],
  ["Log in at https://login.example.com/x", []],
  ["Log in at http://localhost:8080/x or http://127.0.0.1/x", []],
  ["Log in at http://127.evil.com/x", ["http://127.evil.com/x"]],
  ['[{"url":"http://login.example.com/x"}]', ["http://login.example.com/x"]],
])("addresses without TLS in: %s", (words, found) => {
  expect(openAddressesIn(words)).toEqual(found);
});
