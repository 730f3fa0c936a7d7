"use strict";
// Shows the keys as the server's events tell of them and reports thumbs, both edges.
// The server times presses; here nothing is timed but a silence that is too long.

const token = new URLSearchParams(location.search).get("token") ?? "";
const panel = document.getElementById("panel");
const stopped = document.getElementById("stopped");
const state = document.getElementById("state");
const news = document.getElementById("news");
const columns = Number(document.getElementById("deck").getAttribute("aria-colcount"));
const silence = Number(panel.dataset.silenceMs);
const keys = [...document.querySelectorAll("button")].map((button) => ({
  button,
  image: button.firstElementChild,
  wanted: 0,   // the version the server has
  shown: 0,    // the version in sight
  name: "",    // what the server says the key shows
  said: "",    // what it said of the picture in sight
  loading: null,
}));

let page = "";               // the server's name for our event stream
let live = false;
let stream = new AbortController();

// ---- live or not --------------------------------------------------------------------

function setLive(now, why) {
  live = now;
  panel.dataset.live = String(now);
  state.textContent = now ? "live" : why;
  stopped.textContent = now ? "" : why;
  document.title = now ? "flightdeck" : `${why} · flightdeck`;
  for (const key of keys) key.button.setAttribute("aria-disabled", String(!now));
}

function lose(why) {
  page = "";
  for (const index of [...held.keys()]) lift(index);
  setLive(false, why);
}

// ---- pictures and names -------------------------------------------------------------

const headers = (more) => ({ "X-Flightdeck-Token": token, ...more });

async function load(index) {
  const key = keys[index];
  while (key.shown !== key.wanted) {
    const version = key.wanted;
    const answer = await fetch(`/key/${index}?v=${version}`, { headers: headers(), cache: "no-store" });
    if (!answer.ok) throw new Error(`picture: ${answer.status}`);
    const before = key.image.src;
    key.image.src = URL.createObjectURL(await answer.blob());
    key.image.hidden = false;
    await key.image.decode().catch(() => undefined);  // a broken picture is the panel's business
    if (before) URL.revokeObjectURL(before);
    key.shown = version;
  }
}

function paint(index) {
  const key = keys[index];
  key.loading ??= load(index).finally(() => { key.loading = null; });
  return key.loading;
}

// A press tells what its key was called, and that is known to whoever presses only once
// everything told before is in sight: one key says what is asked, another answers it.
let sight = Promise.resolve();

function call(index, name) {
  const key = keys[index];
  key.said = name;
  const place = `key ${Math.floor(index / columns) + 1}.${(index % columns) + 1}`;
  key.button.setAttribute("aria-label", name || place);
}

async function show(changes) {
  const heard = [];
  for (const [index, version, name] of changes) {
    if (keys[index].name !== name && /\bblocked\b/i.test(name)) heard.push(name);
    keys[index].name = name;
    keys[index].wanted = version;
  }
  if (heard.length) news.textContent = heard.join(". ");
  const painted = changes.map(([index]) => paint(index));
  sight = Promise.all([sight, ...painted]);
  await sight;
  for (const [index, , name] of changes) call(index, name);
}

// ---- the event stream ---------------------------------------------------------------

async function follow(signal) {
  const answer = await fetch("/events", { headers: headers(), cache: "no-store", signal });
  if (!answer.ok) return answer.status;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    // A panel that hangs keeps its connection; only its silence tells.
    const watch = setTimeout(() => stream.abort(), silence);
    const { done, value } = await reader.read().finally(() => clearTimeout(watch));
    if (done) return 0;
    const messages = (rest + value).split("\n\n");
    rest = messages.pop();
    for (const message of messages) {
      if (message.startsWith("data: ")) hear(JSON.parse(message.slice(6)));
    }
  }
}

function hear(message) {
  if (message.page) {
    page = message.page;
    sight = Promise.resolve();
  }
  if (!message.keys) return;
  const from = page;
  show(message.keys).then(
    () => { if (from === page && !live) setLive(true); },
    () => stream.abort(),
  );
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const visible = () => new Promise((resolve) => {
  if (!document.hidden) return resolve();
  document.addEventListener("visibilitychange", () => resolve(), { once: true });
});

async function run() {
  for (let wait = 250; ; wait = Math.min(2 * wait, 4000)) {
    await visible();  // a hidden tab holds no connection: browsers have six for all tabs
    stream = new AbortController();
    const status = await follow(stream.signal).catch(() => 0);
    if (live) wait = 250;
    if (document.hidden) {
      lose("paused");
      continue;
    }
    lose(status === 503 ? "too many tabs" : "panel stopped");
    if (status === 403) {  // another run has another address
      state.textContent = "panel stopped: open the address flightdeck prints";
      return;
    }
    await pause(wait);
  }
}

// ---- thumbs -------------------------------------------------------------------------

const held = new Map();      // key -> what holds it down
let line = Promise.resolve();
let pointed = -Infinity;   // when a pointer last let go

// One after the other, so that an up never overtakes its down on another connection.
function tell(index, edge) {
  const from = page;
  const { shown, said } = keys[index];
  const face = new URLSearchParams({ v: shown, said });
  line = line.then(async () => {
    if (from !== page) return;  // that stream is over: the server has let go already
    const answer = await fetch(`/key/${index}/${edge}?${face}`, {
      method: "POST",
      headers: headers({ "X-Flightdeck-Page": from }),
      keepalive: true,
    });
    if (!answer.ok) throw new Error(`press: ${answer.status}`);
  }).catch(() => stream.abort());  // a new stream lets go of everything
}

function press(index, by) {
  if (!live || held.has(index)) return;
  held.set(index, by);
  keys[index].button.dataset.down = "";
  tell(index, "down");
}

function lift(index) {
  if (!held.delete(index)) return;
  delete keys[index].button.dataset.down;
  tell(index, "up");
}

function liftBy(by) {
  for (const [index, holder] of [...held]) if (holder === by) lift(index);
}

function liftAll() {
  for (const index of [...held.keys()]) lift(index);
}

keys.forEach(({ button }, index) => {
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    press(index, `pointer ${event.pointerId}`);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(end, (event) => {
      pointed = performance.now();
      liftBy(`pointer ${event.pointerId}`);
    });
  }
  // Assistive technology clicks without a pointer or a key: that is a tap.
  button.addEventListener("click", (event) => {
    if (event.detail !== 0 || performance.now() - pointed < 500) return;
    press(index, "click");
    liftBy("click");
  });
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("focus", () => {
    for (const key of keys) key.button.tabIndex = key.button === button ? 0 : -1;
  });
});

function step(code, index) {
  const column = index % columns;
  if (code === "ArrowLeft") return column ? index - 1 : index;
  if (code === "ArrowRight") return column < columns - 1 ? index + 1 : index;
  if (code === "ArrowUp") return Math.max(index - columns, column);
  if (code === "ArrowDown") return index + columns < keys.length ? index + columns : index;
  if (code === "Home") return index - column;
  if (code === "End") return index - column + columns - 1;
  return -1;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const at = keys.findIndex(({ button }) => button === document.activeElement);
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
  const next = step(event.code, Math.max(at, 0));
  if (next >= 0) keys[next].button.focus();
  else if (digit && Number(digit[1]) <= columns) press(Number(digit[1]) - 1, event.code);
  else if (at >= 0 && ["Space", "Enter", "NumpadEnter"].includes(event.code)) press(at, event.code);
  else return;
  event.preventDefault();  // above all the click that Space and Enter would make
});

document.addEventListener("keyup", (event) => {
  if (event.code === "Space" && event.target instanceof HTMLButtonElement) event.preventDefault();
  liftBy(event.code);
});

window.addEventListener("blur", liftAll);
window.addEventListener("pagehide", () => { liftAll(); stream.abort(); });
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return;
  liftAll();
  stream.abort();
});

setLive(false, "connecting");
stopped.textContent = "";
run();
