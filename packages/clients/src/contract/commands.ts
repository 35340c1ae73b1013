import type { ContractLab } from "./lab.ts";

/**
 * Returns the help of a command, or undefined if the tool does not have it. Some tools print the help of the parent
 * for an unknown command, so that counts as missing.
 */
export async function helpOf(lab: ContractLab, ...words: readonly string[]): Promise<string | undefined> {
  const own = await lab.run([...words, "--help"]);
  const parent = await lab.run([...words.slice(0, -1), "--help"]);
  const text = `${own.output}${own.errors}`;
  const isOwn = own.exit === 0 && text.includes(words.at(-1)!) && text !== `${parent.output}${parent.errors}`;
  return isOwn ? text : undefined;
}

/** Returns the help of a command. The requirement of a tool that does not have it fails. */
export async function needCommand(lab: ContractLab, ...words: readonly string[]): Promise<string> {
  const help = await helpOf(lab, ...words);
  if (help !== undefined) return help;
  const name = words.join(" ");
  lab.expect(
    false,
    `the command ${name}`,
    "the tool does not have it",
    `Add the command ${name}.`,
    lab.commandLine(name, "--help"),
  );
  return lab.notMeasured(`the tool has no command ${name}`);
}
