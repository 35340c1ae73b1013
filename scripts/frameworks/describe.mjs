// Finds the frameworks to test: each folder under sdks/frameworks has a description.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../steps.mjs";

const folder = join(root, "sdks/frameworks");

/** Returns all descriptions, in the order of the folder names. */
export const frameworks = () =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => parse(readFileSync(join(folder, name, "framework.yaml"), "utf8")))
    .toSorted((a, b) => a.name.localeCompare(b.name));

/** Seconds that the model behind an agent takes to answer; 0 is at once. */
export const paces = [0, 2];

/** Returns a description's text with its placeholders replaced. */
export const filled = (text, places) => text.replaceAll(/\{(\w+)\}/g, (whole, place) => String(places[place] ?? whole));
