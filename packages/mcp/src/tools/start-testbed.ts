import { z } from "zod";
import { type Tool, type ToolContext, tool } from "../tool.ts";

export const startTestbedTool = ({ testbed }: ToolContext): Tool =>
  tool({
    name: "start_testbed",
    title: "Start the test bed",
    description:
      "Starts agents of known behaviour on a free port of 127.0.0.1, to build a client against or to see a rule fail. A second call returns the same test bed. It stops with the server.",
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: z.strictObject({}),
    output: z.strictObject({
      url: z.string(),
      agents: z.array(z.string()).describe("addresses of conformant agents"),
      mutants: z.string().describe("address of agents that break one rule each"),
    }),
    async run() {
      const { url, agents } = await testbed.open();
      return { url, agents: [...agents], mutants: `${url}/mutants/<id>; explain_rule lists the ids of a rule` };
    },
  });
