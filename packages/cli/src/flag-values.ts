import { InvalidArgumentError } from "commander";

/** For a flag that may be given several times. */
export const collect = (value: string, sofar: string[] = []): string[] => [...sofar, value];

export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Give a whole number from 0.");
  return Number(text);
}

export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("Give a port from 0 to 65535; 0 takes any free one.");
  return port;
}

export function factor(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 100)) throw new InvalidArgumentError("Give a factor from 0 to 100, such as 0.1.");
  return value;
}

export function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Give a number of seconds above 0.");
  return value;
}
