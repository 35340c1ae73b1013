// Builds an SVG that plays a terminal recording. A line appears once for as long as it stays the same.

const [fontSize, advance, lineHeight, margin, bar] = [14, 8.4, 20, 16, 28];
const colors = { red: "#ff7b72", green: "#56d364", yellow: "#e3b341" };

/** Returns the SVG. `frames` are the lines with their times in seconds; the last one ends the animation. */
export function animationOf(frames, { columns, rows, title }) {
  const length = frames.at(-1).at;
  const width = Math.ceil(columns * advance + 2 * margin);
  const height = bar + rows * lineHeight + margin;
  const spans = spansOf(frames, rows);
  const changes = [...new Set(spans.filter(({ from, to }) => from > 0 || to < length).map(nameOf))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${inXml(title)}</title>`,
    "<style>",
    `text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre}`,
    `.b{font-weight:bold}.d{fill:#9198a1}${Object.entries(colors)
      .map(([name, color]) => `.${name}{fill:${color}}`)
      .join("")}`,
    // Without animation, only the last frame is visible.
    ".gone{visibility:hidden}",
    ...changes.map((name) => ruleOf(name, length)),
    "@media (prefers-reduced-motion:reduce){g{animation:none!important}}",
    "</style>",
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (fill, index) => `<circle cx="${20 + index * 18}" cy="16" r="5" fill="${fill}"/>`,
    ),
    ...spans.map((span) => groupOf(span, length)),
    "</svg>\n",
  ].join("\n");
}

/** Returns each line with the times between which it is visible. */
function spansOf(frames, rows) {
  const spans = [];
  for (let row = 0; row < rows; row++) {
    let open;
    for (const { at, lines } of frames) {
      const runs = lines[row] ?? [];
      if (open && JSON.stringify(open.runs) === JSON.stringify(runs)) continue;
      if (open) spans.push({ ...open, to: at });
      open = { row, runs, from: at };
    }
    spans.push({ ...open, to: frames.at(-1).at });
  }
  return spans.filter(({ runs }) => runs.length > 0);
}

const inTenths = (seconds) => Math.round(seconds * 10);
const nameOf = ({ from, to }) => `t${inTenths(from)}-${inTenths(to)}`;

function ruleOf(name, length) {
  const [from, to] = name
    .slice(1)
    .split("-")
    .map((tenths) => Number(tenths) / 10);
  const percent = (seconds) => `${+((100 * seconds) / length).toFixed(2)}%`;
  const isLast = inTenths(to) === inTenths(length);
  const steps = [
    ...(from > 0 ? ["0%{visibility:hidden}"] : []),
    `${percent(from)}{visibility:visible}`,
    ...(isLast ? ["100%{visibility:visible}"] : [`${percent(to)}{visibility:hidden}`, "100%{visibility:hidden}"]),
  ];
  return `@keyframes ${name}{${steps.join("")}}.${name}{animation:${name} ${length.toFixed(1)}s step-end infinite}`;
}

function groupOf(span, length) {
  const { row, runs, from, to } = span;
  const names = [...(to < length ? ["gone"] : []), ...(from > 0 || to < length ? [nameOf(span)] : [])];
  const y = bar + (row + 1) * lineHeight;
  return `<g${names.length ? ` class="${names.join(" ")}"` : ""}>${runs.map((run) => textOf(run, y)).join("")}</g>`;
}

/** Returns one text element. Its length is given, so that columns align in any font. */
function textOf({ column, text, style: { bold, dim, color } }, y) {
  const start = text.length - text.trimStart().length;
  const names = [...(bold ? ["b"] : []), ...(dim ? ["d"] : []), ...(color ? [color] : [])].join(" ");
  const shown = [...text.trimStart()];
  const x = +(margin + (column + start) * advance).toFixed(1);
  const named = names ? ` class="${names}"` : "";
  return `<text x="${x}" y="${y}" textLength="${+(shown.length * advance).toFixed(1)}"${named}>${inXml(shown.join(""))}</text>`;
}

const inXml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
