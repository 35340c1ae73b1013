/** Ids and ports of a run, and the credentials of the test bed, which are no secrets and look like some. */
const passing =
  /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?<=(?:127\.0\.0\.1|\[::1\]|localhost):)\d{5}\b|\b(?:alice|bob|carol|agentbin-test)-token\b|(?<=\b(?:Basic|Bearer) )[\w+/=.-]{8,}/gi;

/** Gives what differs from run to run a name of the same length, always the same for the same. */
export function steadyNames(): (text: string) => string {
  const names = new Map<string, string>();
  const nameFor = (text: string): string => {
    const place = names.size + 1;
    if (/^\d{5}$/.test(text)) return String(14040 + place);
    if (/^[\da-f]{8}-/i.test(text)) return `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`;
    return masked(text);
  };
  return (text) =>
    text.replace(passing, (found) => {
      const name = names.get(found) ?? nameFor(found);
      names.set(found, name);
      return name;
    });
}

/** Where judges read more into ids and ports than equality: the credentials alone. */
export const onlyMasked = (text: string): string =>
  text.replace(passing, (found) => (/^\d{5}$|^[\da-f]{8}-/i.test(found) ? found : masked(found)));

const masked = (text: string): string => "x".repeat(text.length);
