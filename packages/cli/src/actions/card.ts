import { pathToFileURL } from "node:url";
import { connect, findCard, parseAddress, readCard } from "@assay/library/connection";
import { type CardFinding, type JsonObject, lintCard, type NormalisedCard, normaliseCard } from "@assay/protocol";
import { cardOddities, noInterfaces } from "@assay/wire";
import { cardInFile, isFile } from "../card/card-source.ts";
import type { CardFlags } from "../commands/card.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { plural } from "../phrases.ts";
import { brief, escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

/** A card to show. */
interface CardToShow {
  readonly json: JsonObject;
  /** the URL of the card, or the file as the user named it */
  readonly from: string;
  readonly normal: NormalisedCard;
  /** oddities of the place where it was found */
  readonly notes: readonly string[];
  /** the address of the card, also of a file */
  readonly url: string;
}

/** Runs `assay card`: finds and reads the card, and reports its problems. */
export async function showCard(given: string, flags: CardFlags, screen: Screen): Promise<ExitCode> {
  if (isFile(given)) {
    const { json } = cardInFile(given);
    const url = pathToFileURL(given).href;
    return tell({ json, from: given, normal: normaliseCard(json), notes: [], url }, flags, screen, (value) => value);
  }
  const connection = await connect(given, flags, screen);
  try {
    const found = await findCard(given, connection);
    const { json, url } = found;
    const normal = await readCard(connection, found);
    const notes = cardOddities(found, parseAddress(given).href);
    return tell({ json, from: url, normal, notes, url }, flags, screen, (value) => connection.mask.value(value));
  } finally {
    await connection.clients.close();
  }
}

function tell(
  { json, from, normal, notes, url }: CardToShow,
  flags: CardFlags,
  screen: Screen,
  masked: <T>(value: T) => T,
): ExitCode {
  const findings = lintCard(json, undefined, normal.dialects[0]);
  if (flags.json) screen.json({ url: from, ...normal, findings }, 2);
  else {
    // Mask before cutting to the width of a line, because a mask does not recognise half a secret.
    show(...masked([{ json, from }, normal, findings] as const), screen);
    for (const text of notes) screen.line(`Note         ${escapeText(text)}`);
    const { message, hint } = noInterfaces({ json, url });
    if (!normal.interfaces.length) screen.line(`${message}. ${hint}.`);
  }
  return findings.some(({ level }) => level === "error") ? exitCodes.agent : exitCodes.fine;
}

function show(
  { json, from }: Pick<CardToShow, "json" | "from">,
  { card, dialects, interfaces }: NormalisedCard,
  findings: readonly CardFinding[],
  screen: Screen,
): void {
  const { line, colors } = screen;
  const text = (value: unknown): string => brief(typeof value === "string" ? value : "", 100);
  line(`${colors.bold(text(json["name"]))} ${text(json["version"])}   ${from}`);
  line(text(json["description"]));
  line();
  for (const { dialect, because } of dialects) line(`Versions     ${dialect}   ${colors.dim(escapeText(because))}`);
  for (const { url, binding, dialect, tenant } of interfaces.slice(0, 20)) {
    line(
      `Interface    ${escapeText(binding).padEnd(10)} ${(dialect ?? "?").padEnd(4)} ${escapeText(url)}${tenant ? `   tenant ${escapeText(tenant)}` : ""}`,
    );
  }
  if (interfaces.length > 20) line(`             … and ${interfaces.length - 20} more`);
  if (card) {
    const { streaming, pushNotifications, extendedAgentCard, extensions } = card.capabilities ?? {};
    const has = [
      streaming && "streaming",
      pushNotifications && "push notifications",
      extendedAgentCard && "extended card",
    ].filter(Boolean);
    line(`Can          ${has.join(", ") || "no optional capability"}${card.signatures?.length ? ", signed card" : ""}`);
    for (const { uri = "", required } of (extensions ?? []).slice(0, 20))
      line(`Extension    ${escapeText(uri)}${required ? "   required" : ""}`);
    if ((extensions?.length ?? 0) > 20) line(`             … and ${extensions!.length - 20} more`);
    const schemes = Object.entries(card.securitySchemes ?? {}).map(
      ([name, scheme]) => `${escapeText(name)} (${Object.keys(scheme)[0]?.replace("SecurityScheme", "") ?? "?"})`,
    );
    if (schemes.length)
      line(
        `Login        ${schemes.slice(0, 20).join(", ")}${schemes.length > 20 ? ` … and ${schemes.length - 20} more` : ""}${card.securityRequirements?.length ? "" : "   (declared, not required for every call)"}`,
      );
    const skills = card.skills ?? [];
    line(
      `Skills       ${skills
        .slice(0, 30)
        .map(({ id }) => escapeText(id))
        .join(", ")}${skills.length > 30 ? ` … and ${skills.length - 30} more` : ""}`,
    );
  }
  line();
  if (findings.length) showFindings(findings, screen);
  else line(`${colors.green("✓")} No errors in this card.`);
}

function showFindings(findings: readonly CardFinding[], { line, colors }: Screen): void {
  const mark = { error: colors.red("✗"), warning: colors.yellow("!"), info: colors.dim("·") };
  for (const { level, path, message, fix, rule } of findings) {
    line(`${mark[level]} ${escapeText(path)}  ${escapeText(message)}${rule ? colors.dim(`  ${rule}`) : ""}`);
    line(`  ${colors.dim("fix")} ${escapeText(fix)}`);
  }
  const count = (level: CardFinding["level"]): number => findings.filter((finding) => finding.level === level).length;
  line();
  line(
    [plural(count("error"), "error"), plural(count("warning"), "warning"), plural(count("info"), "note")].join(", "),
  );
}
