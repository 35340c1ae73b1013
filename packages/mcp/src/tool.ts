import type { OptionCaller } from "@assay/library/connection";
import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { MessageBudget } from "./message-budget.ts";
import type { McpOperator } from "./operator.ts";
import type { SharedTestbed } from "./shared-testbed.ts";

/** The parts of the server that its tools share. */
export interface ToolContext {
  readonly operator: McpOperator;
  readonly budget: MessageBudget;
  readonly testbed: SharedTestbed;
}

/** One call of a tool. */
export interface ToolCall {
  /** aborts when the caller cancels the call or the server stops */
  readonly signal: AbortSignal;
  /** Reports the progress of the call, from 0 to 1. The text must not quote an agent. */
  progress(done: number, message: string): void;
  /** the option caller for all code that reads credentials; it collects what `masked` hides */
  readonly caller: OptionCaller;
  /** Returns a value without the secrets of the call. */
  masked<T>(value: T): T;
}

/** A tool: its words and schemas are constants, so no text of an agent can reach them. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
  run(given: never, call: ToolCall): Promise<object>;
}

/** Checks that the schemas of a tool fit its function. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  declared: Omit<Tool, "input" | "output" | "run"> & {
    readonly input: Input;
    readonly output: Output;
    run(given: z.infer<Input>, call: ToolCall): Promise<z.input<Output>>;
  },
): Tool => declared;
