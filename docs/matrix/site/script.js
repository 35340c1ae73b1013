"use strict";
const form = document.getElementById("filters");
const signs = { all: "✓", most: "!", some: "✗", none: "✗", unsupported: "–", empty: "·" };
const letters = { client: "c", server: "s", both: "b", specification: "a", unclear: "n" };

const gradeOf = (passed, red, unsupported) => {
  if (passed + red === 0) return unsupported > 0 ? "unsupported" : "empty";
  if (red === 0) return "all";
  if (passed === 0) return "none";
  return passed / (passed + red) >= 0.8 ? "most" : "some";
};

const narrowed = (cells, choice) => {
  const of = choice.scenario < 0 ? [...cells] : [cells[choice.scenario]];
  const isRed = (letter) => /[csban]/.test(choice.fresh ? letter : letter.toLowerCase());
  const passed = of.filter((letter) => letter === "p").length;
  const red = of.filter(isRed);
  const unsupported = of.filter((letter) => letter === "u").length;
  if (choice.fault) {
    const count = red.filter((letter) => letter.toLowerCase() === letters[choice.fault]).length;
    return { grade: count ? "none" : "empty", text: count ? String(count) : "", words: count ? "red" : "none red" };
  }
  const grade = gradeOf(passed, red.length, unsupported);
  const tried = passed + red.length;
  if (choice.scenario >= 0) {
    const word = { all: "passed", none: "failed", unsupported: "unsupported", empty: "not tried" }[grade];
    return { grade, text: tried ? word : "", words: tried ? "" : word };
  }
  const words = tried ? "passed" : grade === "unsupported" ? "unsupported" : "not tried";
  return { grade, text: tried ? passed + "/" + tried : "", words };
};

const show = () => {
  const { client, server, scenario, fault, fresh } = form.elements;
  const choice = { scenario: scenario.selectedIndex - 1, fault: fault.value, fresh: fresh.checked };
  for (const link of document.querySelectorAll("a[data-cells]")) {
    const { grade, text, words } = narrowed(link.dataset.cells, choice);
    link.parentElement.className = grade;
    const [sign, number, told] = link.children;
    sign.textContent = signs[grade];
    number.textContent = text;
    told.textContent = words;
  }
  for (const row of document.querySelectorAll("tr[data-client]"))
    row.hidden = client.value !== "" && row.dataset.client !== client.value;
  for (const cell of document.querySelectorAll("th[data-server], td[data-server]"))
    cell.hidden = server.value !== "" && cell.dataset.server !== server.value;
  const isNarrow = [...new FormData(form)].some(([, value]) => value !== "");
  for (const wire of document.querySelectorAll("section.wire")) {
    wire.hidden = !wire.querySelector("tr[data-client]:not([hidden]) td:not([hidden])");
    wire.querySelector("h2 small").hidden = isNarrow;
  }
  const causes = [...document.querySelectorAll("li.cause")];
  for (const cause of causes) {
    const has = (name, value) => value === "" || cause.dataset[name].split(" ").includes(value);
    cause.hidden = !(
      has("client", client.value) && has("server", server.value) && has("scenario", scenario.value) &&
      has("fault", fault.value) && (!fresh.checked || cause.dataset.fresh !== "0")
    );
  }
  const shown = causes.filter((cause) => !cause.hidden).length;
  document.getElementById("shown").textContent = causes.length ? shown + " of " + causes.length + " causes" : "";
};

const keep = () => {
  const chosen = [...new FormData(form)].filter(([, value]) => value !== "");
  history.replaceState(null, "", "#" + new URLSearchParams(chosen));
};

const read = () => {
  const chosen = new URLSearchParams(location.hash.slice(1));
  for (const control of form.elements) {
    const value = chosen.get(control.name);
    if (control.type === "checkbox") control.checked = value !== null;
    else if (control.tagName === "SELECT")
      control.value = [...control.options].some((option) => option.value === value) ? value : "";
  }
  show();
};

const open = () => {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  if (target) target.scrollIntoView();
};

const arrive = () => {
  if (form && (location.hash.includes("=") || location.hash === "")) read();
  else open();
};

if (form) {
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => { show(); keep(); });
  form.addEventListener("reset", () => setTimeout(() => { show(); keep(); }));
  show();
}
for (const button of document.querySelectorAll("button.select")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const text = document.getElementById(button.dataset.of);
    getSelection().selectAllChildren(text);
    text.focus();
  });
}
addEventListener("hashchange", arrive);
arrive();
