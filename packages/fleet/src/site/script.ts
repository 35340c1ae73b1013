import { rowsAtOnce } from "./index-page.ts";

/**
 * The one script of the site: it searches and pages the league, and keeps the choice in the address. It writes text and never
 * markup: names of agents are hostile.
 */
export const script = `"use strict";
const form = document.getElementById("filters");
const rows = document.getElementById("rows");
const atOnce = ${rowsAtOnce};
let from = 0;

const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== "") made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

const rowOf = ([place, name, url, page, named, tone, level, examined, broken, sdk, change]) => {
  const row = element("tr", "");
  const agent = element("th", "", { scope: "row" });
  agent.append(element("a", name, { href: page }), element("small", url));
  const verdict = element("td", "");
  verdict.append(element("span", named, { class: "verdict " + tone }));
  row.append(
    element("td", String(place), { class: "count" }), agent, verdict, element("td", level), element("td", examined),
    element("td", broken === 0 ? "" : String(broken), { class: "count" }), element("td", sdk), element("td", change),
  );
  return row;
};

const chosen = () => {
  const value = (name) => form.elements[name]?.value ?? "";
  const words = value("find").toLowerCase().split(/\\s+/).filter(Boolean);
  return self.fleetAgents.filter(([, name, url, , named, , , , , sdk, change]) => {
    const text = (name + " " + url).toLowerCase();
    return words.every((word) => text.includes(word)) && (value("class") === "" || value("class") === named) &&
      (value("sdk") === "" || value("sdk") === sdk) && (value("change") === "" || value("change") === change);
  });
};

const show = () => {
  const agents = chosen();
  if (from >= agents.length) from = 0;
  rows.replaceChildren(...agents.slice(from, from + atOnce).map(rowOf));
  const last = Math.min(from + atOnce, agents.length);
  document.getElementById("shown").textContent = agents.length === 0 ? "none" : (from + 1) + " to " + last + " of " + agents.length;
  document.getElementById("back").disabled = from === 0;
  document.getElementById("on").disabled = last >= agents.length;
};

const keep = () => {
  const given = [...new FormData(form)].filter(([, value]) => value !== "");
  if (from > 0) given.push(["from", String(from)]);
  history.replaceState(null, "", "#" + new URLSearchParams(given));
};

const read = () => {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const control of form.elements) {
    const value = given.get(control.name) ?? "";
    const isKnown = control.tagName !== "SELECT" || [...control.options].some((option) => option.value === value);
    control.value = isKnown ? value : "";
  }
  from = Math.max(0, Math.floor(Number(given.get("from") ?? 0) / atOnce) * atOnce) || 0;
  show();
};

const turn = (by) => {
  from = Math.max(0, from + by);
  show();
  keep();
  document.getElementById("league").scrollIntoView();
};

if (form && self.fleetAgents) {
  form.hidden = false;
  document.getElementById("pages").hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { from = 0; show(); keep(); });
  document.getElementById("back").addEventListener("click", () => turn(-atOnce));
  document.getElementById("on").addEventListener("click", () => turn(atOnce));
  addEventListener("hashchange", () => { if (location.hash === "" || location.hash.includes("=")) read(); });
  if (location.hash.includes("=")) read();
  else show();
}
`;
