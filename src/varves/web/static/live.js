// Says that something was written since the page was made. The stream carries counts, no text; a
// page that nobody sees does not listen.
export function live() {
  const news = document.querySelector("[data-live]");
  if (!news || document.querySelector(".moment.past")) return;
  let stream = null;
  let from = null;
  const listen = () => {
    stream = new EventSource(from === null ? "/live" : `/live?from=${from}`);
    stream.onmessage = (event) => {
      const { events } = JSON.parse(event.data);
      from ??= events;
      const more = events - from;
      if (more > 0) tell(news, more);
    };
  };
  const turn = () => {
    stream?.close();
    stream = null;
    if (!document.hidden) listen();
  };
  document.addEventListener("visibilitychange", turn);
  turn();
}

function tell(news, more) {
  const again = document.createElement("a");
  again.href = location.href;
  again.textContent = "Show";
  news.replaceChildren(`${more.toLocaleString("en")} new ${more === 1 ? "event" : "events"} since this page was made. `, again);
  news.hidden = false;
}
