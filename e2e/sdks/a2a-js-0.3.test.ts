import { describe } from "vitest";
import { describeServerOf03 } from "./client-0.3.fixture.ts";
import { useSdkServer } from "./server.fixture.ts";

describe("a server of @a2a-js/sdk 0.3.14", () => {
  describeServerOf03(useSdkServer("a2a-js-0.3"), { name: "a2a-js-0.3", finalQuestion: true });
});
