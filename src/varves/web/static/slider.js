// While the moment is dragged, only its name and the histogram change; released, the page does.
const DAY = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };

export function slider() {
  const form = document.querySelector("[data-moment]");
  const rail = form?.querySelector("[data-ticks]");
  const range = rail?.querySelector("input[type=range]");
  if (!range) return;
  const ticks = rail.dataset.ticks.split(" ").filter(Boolean).map((one) => one.split(",").map(Number));
  const name = form.querySelector("[data-when]");
  const until = rail.querySelector("[data-until]");
  range.addEventListener("input", () => {
    const place = Number(range.value);
    const words = place >= 1000 ? "Now" : said(ticks, place);
    until.setAttribute("width", String(place));
    name.textContent = words;
    range.setAttribute("aria-valuetext", words);
    form.classList.toggle("past", place < 1000);
  });
  range.addEventListener("change", () => form.requestSubmit());
}

function said(ticks, place) {
  const [left, start, right, end] = ticks.findLast((one) => one[0] <= place) ?? ticks[0];
  const share = Math.max(0, Math.min(1, (place - left) / (right - left)));
  return new Date(start + share * (end - start)).toLocaleString("en-GB", DAY).replace(",", "");
}
