// One key presses what carries it: <a data-key="g n">, a button, a field, the title of a fold.
// j and k go from one [data-row] to the next. Letters do nothing while a field has the focus.
const WAIT = 900; // milliseconds within which the second key of a pair must follow
let first = "";
let timer = 0;

export function keys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") return leave();
    if (isField(event.target)) return;
    const pressed = first ? `${first} ${event.key}` : event.key;
    first = "";
    clearTimeout(timer);
    if (press(pressed) || press(event.key) || step(event.key)) {
      event.preventDefault();
    } else if (event.key === "/") {
      event.preventDefault();
      location.assign("/search");
    } else if (document.querySelector(`[data-key^="${CSS.escape(event.key)} "]`)) {
      first = event.key;
      timer = setTimeout(() => { first = ""; }, WAIT);
    }
  });
}

function isField(target) {
  return target.matches("textarea, select, input:not([type=range], [type=checkbox], [type=radio])");
}

function leave() {
  const open = document.activeElement.closest("details[open]");
  document.activeElement.blur();
  if (open) {
    open.open = false;
    open.querySelector("summary").focus();
  }
}

function press(key) {
  const named = `[data-key="${CSS.escape(key)}"]`; // what the page itself offers comes first
  const found = document.querySelector(`main ${named}`) ?? document.querySelector(named);
  if (!found) return false;
  if (found.matches("input, textarea, select")) {
    found.focus();
    found.select?.();
  } else if (found.matches("summary")) {
    found.parentElement.open = true;
    const field = found.parentElement.querySelector("textarea, input:not([type=hidden])");
    field?.focus();
    field?.setSelectionRange?.(field.value.length, field.value.length);
  } else {
    found.click();
  }
  return true;
}

function step(key) {
  if (key !== "j" && key !== "k") return false;
  const stops = [...document.querySelectorAll("[data-row] a.say, [data-row] > a")];
  const here = stops.findIndex((one) => one.closest("[data-row]").contains(document.activeElement));
  const next = here < 0 ? 0 : here + (key === "j" ? 1 : -1);
  const found = stops[next];
  if (!found) return false;
  found.focus({ focusVisible: true });
  found.scrollIntoView({ block: "nearest" });
  return true;
}
