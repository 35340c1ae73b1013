// What there is to examine: a folder under sdks/frameworks for each framework, with its description.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../steps.mjs";

const folder = join(root, "sdks/frameworks");

/** Every description, in the order of the folders' names. */
export const frameworks = () =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => parse(readFileSync(join(folder, name, "framework.yaml"), "utf8")))
    .toSorted((a, b) => a.name.localeCompare(b.name));

/** How fast the model behind an agent is: its answer is at hand, or takes this many seconds. */
export const paces = [0, 2];

/** A description's text with its places filled in. */
export const filled = (text, places) => text.replaceAll(/\{(\w+)\}/g, (whole, place) => String(places[place] ?? whole));
