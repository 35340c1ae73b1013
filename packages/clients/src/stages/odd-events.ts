/**
 * Spells each event of a stream in another way that the standard of server-sent events allows: with comments and other fields,
 * over several data lines, without the space behind the colon, with CR LF and with CR. What it gets are whole lines.
 */
export function everySpelling(): (piece: string) => string {
  let told = 0;
  return (piece) =>
    piece.replaceAll(/data: ([^\n]*)\n\n/g, (_event, data: string) => spellings[told++ % spellings.length]!(data));
}

const spellings: readonly ((data: string) => string)[] = [
  (data) => `: a comment\nevent: message\nid: 17\nretry: 3000\ndata: ${data}\n\n`,
  (data) =>
    `${JSON.stringify(JSON.parse(data), null, 1)
      .split("\n")
      .map((line) => `data: ${line}`)
      .join("\n")}\n\n`,
  (data) => `data:${data}\r\n\r\n`,
  (data) => `:\n\ndata: ${data}\r\r`,
];
