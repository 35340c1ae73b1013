import type { Spoken } from "../running/narrowed-card.ts";
import type { DriverDescription, UnsupportedRow } from "./description.ts";

/** Why a driver says that its SDK cannot do something over an interface; undefined where it does not say so. */
export const unsupportedBy = (
  { unsupported }: DriverDescription,
  { binding, version }: Spoken,
  isAbout: (row: UnsupportedRow) => boolean,
): string | undefined =>
  unsupported.find(
    (row) => isAbout(row) && (row.bindings?.includes(binding) ?? true) && (row.versions?.includes(version) ?? true),
  )?.why;
