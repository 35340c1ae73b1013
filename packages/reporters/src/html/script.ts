/**
 * The one script of a report: it finds rules, counts what is shown, and opens what a link leads into. The page's policy lets
 * the browser run a script with this digest and no other; a test keeps the two together.
 */
export const script = `"use strict";
const box = document.getElementById("by-rule");
const items = [...document.querySelectorAll("tr.item")];
const cards = [...document.querySelectorAll("details.item")];
const texts = new Map();
const textOf = (item) => {
  const known = texts.get(item) ?? (item.tagName === "TR" ? item : item.firstElementChild).textContent.toLowerCase();
  texts.set(item, known);
  return known;
};
const show = () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const item of [...items, ...cards])
    item.classList.toggle("unmatched", !words.every((word) => textOf(item).includes(word)));
  const isNarrow = words.length > 0 || document.querySelector("input[type=radio]:checked:not([id$=-all])") !== null;
  for (const category of document.querySelectorAll(".category")) {
    category.classList.toggle("unmatched", !category.querySelector("tr.item:not(.unmatched)"));
    if (isNarrow) category.open = true;
  }
  const shown = isNarrow ? items.filter((item) => item.getClientRects().length > 0).length : items.length;
  document.getElementById("shown").textContent = shown + " of " + items.length + " lines";
};
const open = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (target) target.scrollIntoView();
};
if (box) {
  box.closest("p").hidden = false;
  document.querySelector(".filters").addEventListener("input", show);
  show();
}
addEventListener("hashchange", open);
open();
`;

/** SHA-256 of the script, as a policy names it. */
export const scriptDigest = "ToQDsA6XA89uZgsb6K6bO69HZmPmlnHuiTYGFm8keBg=";
