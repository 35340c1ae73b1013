type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without the members that hold nothing: in JSON, absent and undefined are not the same. */
export function defined<const T extends object>(members: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) result[name] = value;
  return result as Defined<T>;
}
