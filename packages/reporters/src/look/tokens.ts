/**
 * The colours of everything that Assay shows in a browser. Colour carries verdicts and nothing else, and never alone: a sign
 * or a word stands beside it. Every pair of text and ground has a contrast of at least 4.5 to 1 in both themes.
 */
const light = {
  ground: "#f6f7f9",
  paper: "#ffffff",
  well: "#f1f3f6",
  ink: "#1a1d23",
  soft: "#57606d",
  line: "#dfe3e8",
  link: "#0b5cad",
  fail: "#b3261e",
  warn: "#8a5300",
  pass: "#1c6b3c",
  held: "#7b3fa0",
  idle: "#57606d",
  /** the ground of what is marked in a text, and the letters on it */
  mark: "#fde3e0",
  markInk: "#7a1610",
  failFill: "#d8433a",
  heldFill: "#a673c9",
  errorFill: "#5c6470",
  passFill: "#3f9d66",
  idleFill: "#c3c9d2",
  noneFill: "#e3e6eb",
};

const dark: typeof light = {
  ground: "#14171c",
  paper: "#1c2026",
  well: "#15181d",
  ink: "#e7eaee",
  soft: "#a3acb8",
  line: "#323943",
  link: "#7db8f5",
  fail: "#ff8a80",
  warn: "#f0b95a",
  pass: "#7fd09d",
  held: "#cfa5ea",
  idle: "#a3acb8",
  mark: "#4b1f1f",
  markInk: "#ffc9c3",
  failFill: "#e25c52",
  heldFill: "#9a63c0",
  errorFill: "#8d96a3",
  passFill: "#3f9d66",
  idleFill: "#4a525e",
  noneFill: "#2d333c",
};

export const palettes = { light, dark };

/** Which is written on which: what has to be told apart. */
export const texts: readonly (readonly [text: keyof typeof light, ground: keyof typeof light])[] = [
  ...(["ink", "soft", "link", "fail", "warn", "pass", "held", "idle"] as const).flatMap((text) =>
    (["ground", "paper", "well"] as const).map((ground) => [text, ground] as const),
  ),
  ["markInk", "mark"],
];

const variables = (palette: typeof light): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`)
    .join(" ");

export const tokens = `
:root { ${variables(light)}
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  --corner: .5rem;
}
@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }
`;
