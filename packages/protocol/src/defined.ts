/** Properties that may be undefined as properties that may be missing. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the properties whose value is undefined: a reader takes a property that is there for one that was given. */
export function defined<const T extends object>(values: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) result[name] = value;
  return result as Defined<T>;
}
