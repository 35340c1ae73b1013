import { describe } from "vitest";
import { describeServerOf03 } from "./client-0.3.fixture.ts";
import { useSdkServer } from "./server.fixture.ts";

describe("the 0.3 layer of a server of @a2a-js/sdk 1.3.0", () => {
  // To 1.0, which it translates from, an interrupted task is not at its end.
  describeServerOf03(useSdkServer("a2a-js", { args: ["--compat"] }), { name: "a2a-js", finalQuestion: false });
});
