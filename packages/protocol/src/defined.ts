/** Turns properties that may be undefined into optional properties. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Removes properties whose value is undefined, because readers treat a present property as given. */
export function defined<const T extends object>(values: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) if (value !== undefined) result[name] = value;
  return result as Defined<T>;
}
