// Emulates a terminal: text, line breaks, colours, and the few control sequences that Assay writes.

const esc = "\u001b";
const pieces = new RegExp(`(${esc}\\[[?\\d;]*[A-Za-z])`);

/** The styles that each colour sequence turns on or off. */
const styles = {
  0: { bold: false, dim: false, color: undefined },
  1: { bold: true },
  2: { dim: true },
  22: { bold: false, dim: false },
  31: { color: "red" },
  32: { color: "green" },
  33: { color: "yellow" },
  39: { color: undefined },
};

/** Returns a screen that reads a command's output piece by piece and returns its current lines. */
export function terminalScreen(columns) {
  const lines = [[]];
  let [row, column] = [0, 0];
  let style = {};

  const put = (character) => {
    // A terminal wraps at the next character, not when the line is full.
    if (column === columns) [row, column] = [row + 1, 0];
    while (lines.length <= row) lines.push([]);
    while (lines[row].length < column) lines[row].push({ character: " ", style: {} });
    lines[row][column++] = { character, style };
  };

  const obey = (sequence) => {
    const [, body, kind] = /\[([?\d;]*)([A-Za-z])$/.exec(sequence);
    if (kind === "m") for (const code of body.split(";")) style = { ...style, ...styles[Number(code)] };
    else if (kind === "A") row = Math.max(0, row - Number(body || 1));
    else if (kind === "G") column = Number(body || 1) - 1;
    else if (kind === "K") lines[row]?.splice(column);
    else if (kind === "J") {
      lines[row]?.splice(column);
      lines.splice(row + 1);
    } else if (!body.startsWith("?"))
      throw new Error(`a sequence that this screen does not know: ${sequence.slice(1)}`);
  };

  return {
    write(text) {
      for (const piece of text.split(pieces)) {
        if (piece.startsWith(esc)) obey(piece);
        else
          for (const character of piece) {
            if (character === "\r") column = 0;
            else if (character === "\n") row++;
            else put(character);
          }
      }
    },
    /** Returns each line as runs of one style, without trailing spaces. */
    lines: () => lines.map(runsOf),
  };
}

function runsOf(cells) {
  const runs = [];
  for (const [column, { character, style }] of cells.entries()) {
    const last = runs.at(-1);
    if (last && JSON.stringify(last.style) === JSON.stringify(style)) last.text += character;
    else runs.push({ column, text: character, style });
  }
  return runs.filter(({ text }) => text.trim() !== "").map((run) => ({ ...run, text: run.text.trimEnd() }));
}
