import { useEffect, useState } from "preact/hooks";

/** The state of something that is being loaded. */
export type Loaded<T> =
  | { readonly is: "loading" }
  | { readonly is: "there"; readonly value: T }
  | { readonly is: "failed"; readonly error: Error };

/**
 * Loads again when a member of `of` changes. The old value stays until the new one arrives, so that nothing flickers.
 */
export function useLoaded<T>(load: () => Promise<T>, of: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ is: "loading" });
  useEffect(() => {
    let isWanted = true;
    load().then(
      (value) => isWanted && setLoaded({ is: "there", value }),
      (error: Error) => isWanted && setLoaded({ is: "failed", error }),
    );
    return () => {
      isWanted = false;
    };
  }, of);
  return loaded;
}
