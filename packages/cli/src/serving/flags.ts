import { type Command, Option } from "commander";
import { parserOf } from "../flag-values.ts";
import { flagOf, type Setting, settingNames, settingOf } from "./settings.ts";

/** Flags about the settings themselves; a settings file cannot contain them. */
const aboutSettings = [
  new Option("--config <file>", "read settings from this file (YAML or JSON); flags and the environment win over it"),
  new Option("--print-settings", "print the effective settings and the source of each, and stop"),
];

const help = new Option("-h, --help", "show this help");

/** Adds a flag for every setting. */
export function addSettingFlags(command: Command): Command {
  command.addHelpOption(help.helpGroup("Settings:"));
  for (const option of aboutSettings) command.addOption(option.helpGroup("Settings:"));
  for (const name of settingNames) {
    const setting = settingOf(name);
    command.addOption(flagFor(flagOf(name), setting));
    // Hidden: it only overrides a file or the environment.
    if (setting.is.placeholder === undefined)
      command.addOption(new Option(flagOf(name).replace("--", "--no-")).hideHelp());
  }
  return command;
}

function flagFor(flag: string, { is, default: fallback, means, otherwise, group }: Setting): Option {
  const usage = is.placeholder === undefined ? flag : `${flag} <${is.placeholder}>`;
  const text = otherwise === undefined ? means : `${means} (default: ${otherwise})`;
  const option = new Option(usage, text).helpGroup(`${group}:`);
  if (is.choices) option.choices(is.choices);
  else if (is.placeholder !== undefined) option.argParser(parserOf(is));
  return fallback === undefined ? option : option.default(fallback);
}
