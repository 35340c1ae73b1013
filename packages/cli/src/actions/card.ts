import { connect, findCard, parseAddress, readCard } from "@assay/library/connection";
import { type CardFinding, lintCard, type NormalisedCard } from "@assay/protocol";
import { cardOddities, type FoundCard, noInterfaces } from "@assay/wire";
import type { CardFlags } from "../commands/card.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { brief, escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

/** The whole command: find the card, read it, and say what is wrong with it. */
export async function showCard(url: string, flags: CardFlags, screen: Screen): Promise<ExitCode> {
  const connection = await connect(url, flags, screen);
  try {
    const found = await findCard(url, connection);
    const normal = await readCard(connection, found);
    const findings = lintCard(found.json, undefined, normal.dialects[0]);
    if (flags.json) screen.json({ url: found.url, ...normal, findings }, 2);
    else {
      // Masked before it is cut to the width of a line.
      show(...connection.mask.value([{ url: found.url, json: found.json }, normal, findings] as const), screen);
      for (const text of cardOddities(found, parseAddress(url).href)) screen.line(`Note         ${escapeText(text)}`);
      const { message, hint } = noInterfaces(found);
      if (!normal.interfaces.length) screen.line(`${message}. ${hint}.`);
    }
    return findings.some(({ level }) => level === "error") ? exitCodes.agent : exitCodes.fine;
  } finally {
    await connection.clients.close();
  }
}

function show(
  found: Pick<FoundCard, "url" | "json">,
  { card, dialects, interfaces }: NormalisedCard,
  findings: readonly CardFinding[],
  screen: Screen,
): void {
  const { line, colors } = screen;
  const text = (value: unknown): string => brief(typeof value === "string" ? value : "", 100);
  const { json } = found;
  line(`${colors.bold(text(json["name"]))} ${text(json["version"])}   ${found.url}`);
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
  line(`${count("error")} errors, ${count("warning")} warnings, ${count("info")} notes`);
}
