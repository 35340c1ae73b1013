import type { Screen } from "../terminal/screen.ts";
import { settingNames, settingOf } from "./settings.ts";
import type { Settled } from "./settle.ts";

/** Prints every effective setting and its source; masks secrets. */
export function printSettings({ settings, placeOf }: Settled, { line, json, isTerminal }: Screen): void {
  const rows = settingNames.map((name) => {
    const value = settings[name];
    const shown = value !== undefined && settingOf(name).is.isSecret ? "***" : value;
    return { name, value: shown, from: placeOf(name)?.name };
  });
  if (!isTerminal) {
    json(Object.fromEntries(rows.map(({ name, value = null, from = null }) => [name, { value, from }])), 2);
    return;
  }
  const width = Math.max(...settingNames.map(({ length }) => length));
  for (const { name, value, from } of rows) {
    const text = value === undefined ? "-" : typeof value === "string" ? value : JSON.stringify(value);
    line(`${name.padEnd(width)}  ${text.padEnd(24)}  ${from ?? ""}`.trimEnd());
  }
}
