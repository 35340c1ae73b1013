import { test } from "vitest";

type Body = () => Promise<void>;

/** A test where it applies; elsewhere there is none, and nothing is skipped. */
export const testIf =
  (applies: boolean) =>
  (title: string, ...how: [Body] | [{ readonly timeout: number }, Body]): void => {
    if (!applies) return;
    if (how.length === 1) test(title, how[0]);
    else test(title, ...how);
  };
