import { randomUUID } from "node:crypto";
import { isObject, type JsonValue } from "@assay/protocol";

/** A variable without a value. */
export class UnknownVariable extends Error {
  override readonly name = "UnknownVariable";
  readonly variable: string;

  constructor(variable: string) {
    super(`the variable {{${variable}}} has no value`);
    this.variable = variable;
  }
}

const reference = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** Returns every variable that a value of a file refers to. */
export function referencesIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(reference)].map((match) => match[1]!);
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}

export interface ScopeOptions {
  /** of the file: defaults */
  readonly variables: Readonly<Record<string, string>>;
  /** of this runner and its user: they override the file's defaults; a function is called when needed */
  readonly given: Readonly<Record<string, string | (() => string | undefined)>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Resolves `{{…}}` in one test. */
export class VariableScope {
  readonly #options: ScopeOptions;
  readonly #captured = new Map<string, JsonValue>();

  constructor(options: ScopeOptions) {
    this.#options = options;
  }

  capture(step: string, name: string, value: JsonValue): void {
    this.#captured.set(`${step}.${name}`, value);
  }

  /** Replaces all variables in a value of the file. A text that is only one variable keeps its type. */
  fill<T extends JsonValue>(value: T): T {
    // The shape is unchanged: texts become texts, or the value of their variable.
    return this.#filled(value) as T;
  }

  #filled(value: JsonValue): JsonValue {
    if (typeof value === "string") {
      const [whole, name] = /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(value) ?? [];
      if (whole !== undefined) return this.valueOf(name!);
      return value.replace(reference, (_, inner: string) => textOf(this.valueOf(inner)));
    }
    if (Array.isArray(value)) return value.map((each) => this.#filled(each));
    if (!isObject(value)) return value;
    // The members of a JSON object are JSON.
    const members = Object.entries(value) as [string, JsonValue][];
    return Object.fromEntries(members.map(([name, each]) => [name, this.#filled(each)]));
  }

  /**
   * Resolves in the order of §12.2: captures, variables, environment, generators; `given` replaces defaults
   * of the file.
   */
  valueOf(name: string, seen: readonly string[] = []): JsonValue {
    const captured = this.#captured.get(name);
    if (captured !== undefined) return captured;
    const { given, variables, env } = this.#options;
    const own = Object.hasOwn(given, name) ? given[name] : undefined;
    const value = typeof own === "function" ? own() : own;
    if (value !== undefined) return value;
    if (Object.hasOwn(variables, name) && !seen.includes(name)) {
      const text = variables[name]!;
      return text.replace(reference, (_, inner: string) => textOf(this.valueOf(inner, [...seen, name])));
    }
    const ofEnv = name.startsWith("env.") ? env[name.slice("env.".length)] : undefined;
    if (ofEnv !== undefined) return ofEnv;
    if (name === "$uuid") return randomUUID();
    throw new UnknownVariable(name);
  }
}

const textOf = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));
