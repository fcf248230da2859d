/* What pages do beyond links and forms, which work without it. */

import { Idiomorph } from 'idiomorph';
import { byItself, watchSession } from './session-watch.js';

watchSession();

for (const button of document.querySelectorAll('button[data-copies]')) {
  const text = document.getElementById(button.dataset.copies);
  const announcement = button.nextElementSibling;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent.trim());
      announcement.textContent = 'Copied';
    } catch {
      // Without the permission to write, the text is at least selected for whoever copies by hand.
      window.getSelection().selectAllChildren(text);
      announcement.textContent = 'Selected: copy it with your keyboard';
    }
  });
}

/* What is of use only where scripts run. */
document.documentElement.classList.add('scripted-page');

document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-print]') !== null) window.print();
});

/* A turn is heard by a click on it, on its button, or on what rests on it. */
document.addEventListener('click', ({ target }) => {
  if (window.getSelection().toString() !== '') return;
  const evidence = target.closest('a[href^="#turn-"]');
  const turn = evidence === null ? target.closest('[data-offset-ms]') : document.querySelector(evidence.hash);
  const player = turn?.closest('[data-conversation]')?.querySelector('audio');
  if (player === null || player === undefined) return;
  playFrom(player, Number(turn.dataset.offsetMs) / 1000);
});

function playFrom(player, seconds) {
  const begin = () => {
    player.currentTime = seconds;
    player.play().catch(() => {});
  };
  if (player.readyState >= HTMLMediaElement.HAVE_METADATA) return begin();
  player.addEventListener('loadedmetadata', begin, { once: true });
  player.preload = 'metadata';
  player.load();
}

/* A waveform shows how far a recording is heard, and a click on it leads there. */
document.addEventListener('click', ({ target, clientX }) => {
  const waveform = target.closest('[data-waveform]');
  const player = waveform?.closest('.player').querySelector('audio');
  if (player === null || player === undefined) return;
  const { left, width } = waveform.getBoundingClientRect();
  playFrom(player, Number(waveform.dataset.waveform) * ((clientX - left) / width));
});

/* Once a recording is loaded, its control knows how long it is. */
document.addEventListener(
  'loadedmetadata',
  ({ target: player }) => {
    player.preload = 'metadata';
  },
  true,
);

function showPosition(player) {
  const waveform = player.closest('.player')?.querySelector('[data-waveform]');
  if (waveform === null || waveform === undefined) return;
  const x = (player.currentTime / Number(waveform.dataset.waveform)) * waveform.viewBox.baseVal.width;
  for (const end of ['x1', 'x2']) waveform.lastElementChild.setAttribute(end, x);
}

document.addEventListener('change', ({ target }) => {
  if (target.dataset.speed === undefined) return;
  const player = target.closest('.player').querySelector('audio');
  // Of what is loaded later as well.
  player.defaultPlaybackRate = player.playbackRate = Number(target.value);
});

/* Enter in a field that only helps to fill in a form presses its own button. */
document.addEventListener('keydown', (event) => {
  const button = event.target.dataset?.enter;
  if (event.key !== 'Enter' || button === undefined) return;
  event.preventDefault();
  document.getElementById(button).click();
});

/* A destination fills in its number, and a number that is typed is that of no destination. */
const destination = document.getElementById('destination');
const number = document.getElementById('phone_number');
if (destination !== null && number !== null) {
  destination.addEventListener('change', () => {
    number.value = destination.value;
  });
  number.addEventListener('input', () => {
    destination.value = '';
  });
}

/* A list is worked through by keyboard: j and k go down and up, Enter opens, / goes to the search. */
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, select, textarea, [contenteditable]') !== null;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/') {
    const search = document.querySelector('input[name="text"], input[name="patient_search"]');
    if (search === null) return;
    event.preventDefault();
    search.focus();
  } else if (event.key === 'j' || event.key === 'k') {
    const rows = [...document.querySelectorAll('[data-row]')];
    const at = rows.indexOf(document.activeElement);
    const next = at === -1 ? 0 : at + (event.key === 'j' ? 1 : -1);
    rows[next]?.focus();
  }
});

/* Whoever clicks again before the answer has come does not ask for the same once more. */
const answerMs = 10_000;
let lastSent = { form: null, atMs: 0 };
document.addEventListener('submit', (event) => {
  const { target: form, timeStamp: atMs } = event;
  if (form === lastSent.form && atMs - lastSent.atMs < answerMs) event.preventDefault();
  else lastSent = { form, atMs };
});
/* Coming back to a page is another matter. */
window.addEventListener('pageshow', () => {
  lastSent = { form: null, atMs: 0 };
});

/* Pages tell moments in the time zone of whoever reads them, from the next page on. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const inYearMs = Date.now() + 365 * 24 * 60 * 60 * 1000;
// For all paths: one of our own would be given a slash at its end, and with it not be that of the first page.
window.cookieStore?.set({ name: 'vat_time_zone', value: timeZone, expires: inYearMs, sameSite: 'lax' });

const notice = document.querySelector('[data-announced]');
if (notice !== null) {
  notice.focus();
  // A reload must not tell again what was done once.
  const address = new URL(window.location.href);
  if (address.searchParams.has('done')) {
    address.searchParams.delete('done');
    window.history.replaceState(null, '', address);
  }
}

/* The turn of a conversation that is being heard stands out. */
document.addEventListener('timeupdate', ({ target: player }) => showHeard(player), true);

function showHeard(player) {
  showPosition(player);
  const turns = [...(player.closest('[data-conversation]')?.querySelectorAll('[data-offset-ms]') ?? [])];
  const isBegun = player.currentTime > 0 || !player.paused;
  const heard = turns.findLast(
    (turn) => isBegun && Number(turn.dataset.offsetMs) <= player.currentTime * 1000,
  );
  const before = turns.find((turn) => turn.classList.contains('heard'));
  if (heard === before) return;
  before?.classList.remove('heard');
  heard?.classList.add('heard');
  // Who reads along is led on; who looks at something else on the page is left there.
  if (before !== undefined && isInView(before)) heard?.scrollIntoView({ block: 'nearest' });
}

function isInView(part) {
  const { top, bottom } = part.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/*
 * The address that a recording is fetched from holds for some minutes only, and browsers keep to it: whoever listens on
 * after a longer pause is given a new one. A recording whose beginning cannot be fetched is not asked for again.
 */
document.addEventListener('error', ({ target: player }) => goOn(player), true);

function goOn(player) {
  const isCutOff = player instanceof HTMLAudioElement && player.error?.code === MediaError.MEDIA_ERR_NETWORK;
  if (!isCutOff || player.readyState < HTMLMediaElement.HAVE_METADATA) return;
  const { currentTime, paused } = player;
  player.load();
  player.currentTime = currentTime;
  if (!paused) player.play().catch(() => {});
}

const pollMs = 2000;
const idlePollMs = 15_000;
/* Asks whether something has changed, and only then for the page; less and less often while nothing does. */
async function followChanges(waitedMs) {
  const live = document.querySelector('[data-live]');
  if (live === null) return;
  let nextMs = document.hidden ? pollMs : Math.min(waitedMs * 1.1, idlePollMs);
  try {
    if (!document.hidden) {
      const answer = await fetch(live.dataset.live, { redirect: 'error', headers: byItself });
      if (answer.ok && (await answer.text()) !== live.dataset.version) {
        await loadAnew(live);
        nextMs = pollMs;
      }
    }
  } catch {
    // The next time may be better.
  }
  window.setTimeout(followChanges, nextMs, nextMs);
}
window.setTimeout(followChanges, pollMs, pollMs);

async function loadAnew(live) {
  const answer = await fetch(window.location.href, { redirect: 'error', headers: byItself });
  if (!answer.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live');
  if (next === null) return;
  const before = newsIn(live);
  const focused = document.activeElement;
  const { top } = focused.getBoundingClientRect();
  // What is like it already is left alone: what is played, focused, selected or half typed in it stays so.
  Idiomorph.morph(live, next, {
    ignoreActiveValue: true,
    // Keep open, ticked and loaded what the person has opened, ticked and played.
    callbacks: { beforeAttributeUpdated: (name) => !['open', 'checked', 'preload'].includes(name) },
  });
  for (const player of live.querySelectorAll('audio')) showHeard(player);
  if (!focused.isConnected) document.getElementById('content').focus({ preventScroll: true });
  else if (live.contains(focused))
    window.scrollBy({ top: focused.getBoundingClientRect().top - top, behavior: 'instant' });
  const news = newsIn(live).filter((text) => !before.includes(text));
  if (news.length > 0) document.getElementById('live-news').textContent = news.join(' ');
}

/* What is worth interrupting whoever hears the page instead of seeing it. */
function newsIn(live) {
  return [...live.querySelectorAll('[data-news]')].map((part) => part.dataset.news);
}

/* A file is read into the field that is sent, where it can be looked at; without scripts it is pasted there. */
for (const chooser of document.querySelectorAll('input[type="file"][data-into]')) {
  chooser.parentElement.hidden = false;
  chooser.addEventListener('change', async () => {
    const [file] = chooser.files;
    if (file !== undefined) document.getElementById(chooser.dataset.into).value = await file.text();
  });
}
