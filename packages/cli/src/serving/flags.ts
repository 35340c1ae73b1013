import { type Command, Option } from "commander";
import { parserOf } from "../flag-values.ts";
import { flagOf, type Setting, settingNames, settingOf } from "./settings.ts";

/** About the settings themselves; a file of settings cannot say them. */
const aboutSettings = [
  new Option("--config <file>", "settings from this file (YAML or JSON); flags and the environment win over it"),
  new Option("--print-settings", "print the settings in force and where each of them was said, and do not serve"),
];

const help = new Option("-h, --help", "display help for command");

/** Gives a command a flag for every setting. */
export function addSettingFlags(command: Command): Command {
  command.addHelpOption(help.helpGroup("Settings:"));
  for (const option of aboutSettings) command.addOption(option.helpGroup("Settings:"));
  for (const name of settingNames) {
    const setting = settingOf(name);
    command.addOption(flagFor(flagOf(name), setting));
    // In no help: it only takes back what a file or the environment says.
    if (setting.is.placeholder === undefined)
      command.addOption(new Option(flagOf(name).replace("--", "--no-")).hideHelp());
  }
  return command;
}

function flagFor(flag: string, { is, default: fallback, means, group }: Setting): Option {
  const usage = is.placeholder === undefined ? flag : `${flag} <${is.placeholder}>`;
  const option = new Option(usage, means).helpGroup(`${group}:`);
  if (is.choices) option.choices(is.choices);
  else if (is.placeholder !== undefined) option.argParser(parserOf(is));
  return fallback === undefined ? option : option.default(fallback);
}
