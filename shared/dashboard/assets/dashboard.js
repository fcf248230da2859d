/* Enhances pages; links and forms work without it. */

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
      // Without clipboard permission, select the text to copy by hand.
      window.getSelection().selectAllChildren(text);
      announcement.textContent = 'Selected. Copy it with your keyboard';
    }
  });
}

/* Shows controls that need scripts. */
document.documentElement.classList.add('scripted-page');

document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-print]') !== null) window.print();
});

/* A click on a turn, its button, or its quote plays the turn. */
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

/* A waveform shows the playback position; a click on it seeks. */
document.addEventListener('click', ({ target, clientX }) => {
  const waveform = target.closest('[data-waveform]');
  const player = waveform?.closest('.player').querySelector('audio');
  if (player === null || player === undefined) return;
  const { left, width } = waveform.getBoundingClientRect();
  playFrom(player, Number(waveform.dataset.waveform) * ((clientX - left) / width));
});

/* Once a recording is loaded, the player knows its duration. */
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
  // The default rate applies to later loads, too.
  player.defaultPlaybackRate = player.playbackRate = Number(target.value);
});

/* Enter in a helper field presses the button of that field, not the form's. */
document.addEventListener('keydown', (event) => {
  const button = event.target.dataset?.enter;
  if (event.key !== 'Enter' || button === undefined) return;
  event.preventDefault();
  document.getElementById(button).click();
});

/* Escape closes a confirmation, and returns to its button. */
document.addEventListener('keydown', (event) => {
  const confirmation = event.target.closest?.('details.confirm[open]') ?? null;
  if (event.key !== 'Escape' || confirmation === null) return;
  confirmation.open = false;
  confirmation.querySelector('summary').focus();
});

/* Choosing a destination fills in its number; typing a number clears the destination. */
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

/* Keyboard navigation of lists: j and k move down and up, Enter opens, / focuses the search. */
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

/* Ignores a second click until the response arrives. */
const answerMs = 10_000;
let lastSent = { form: null, atMs: 0 };
document.addEventListener('submit', (event) => {
  const { target: form, timeStamp: atMs } = event;
  if (form === lastSent.form && atMs - lastSent.atMs < answerMs) event.preventDefault();
  else lastSent = { form, atMs };
});
/* Returning to a page allows the form again. */
window.addEventListener('pageshow', () => {
  lastSent = { form: null, atMs: 0 };
});

/* Shows times in the reader's time zone, from the next page on. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const inYearMs = Date.now() + 365 * 24 * 60 * 60 * 1000;
// For all paths: the browser would append a slash to our own path, which would not match the first page.
window.cookieStore?.set({ name: 'vat_time_zone', value: timeZone, expires: inYearMs, sameSite: 'lax' });

const notice = document.querySelector('[data-announced]');
if (notice !== null) {
  notice.focus();
  // A reload must not repeat the notice.
  const address = new URL(window.location.href);
  if (address.searchParams.has('done')) {
    address.searchParams.delete('done');
    window.history.replaceState(null, '', address);
  }
}

/* Highlights the turn being played. */
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
  // Follow the playback only while the previous turn is in view.
  if (before !== undefined && isInView(before)) heard?.scrollIntoView({ block: 'nearest' });
}

function isInView(part) {
  const { top, bottom } = part.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/*
 * Presigned URLs of recordings expire after some minutes, and browsers keep using them: playback after a longer pause
 * loads a new one. A recording that fails at its start is not retried.
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
/* Polls the version, and reloads the page only if it changed; backs off while nothing changes. */
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
    // Retried by the next poll.
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
  // Morphing keeps unchanged elements, with their playback, focus, selection and typed text.
  Idiomorph.morph(live, next, {
    ignoreActiveValue: true,
    callbacks: {
      // Keep elements that the reader opened, checked or played, and what they typed before they moved on.
      beforeAttributeUpdated: (name) => !['open', 'checked', 'preload'].includes(name),
      beforeNodeMorphed: ({ value, defaultValue = value }) => value === defaultValue,
    },
  });
  for (const player of live.querySelectorAll('audio')) showHeard(player);
  if (!focused.isConnected) document.getElementById('content').focus({ preventScroll: true });
  else if (live.contains(focused))
    window.scrollBy({ top: focused.getBoundingClientRect().top - top, behavior: 'instant' });
  const news = newsIn(live).filter((text) => !before.includes(text));
  if (news.length > 0) document.getElementById('live-news').textContent = news.join(' ');
}

/* News to announce to screen readers. */
function newsIn(live) {
  return [...live.querySelectorAll('[data-news]')].map((part) => part.dataset.news);
}

/* Reads a chosen file into its text field for review; without scripts, people paste the text. */
for (const chooser of document.querySelectorAll('input[type="file"][data-into]')) {
  chooser.parentElement.hidden = false;
  chooser.addEventListener('change', async () => {
    const [file] = chooser.files;
    if (file !== undefined) document.getElementById(chooser.dataset.into).value = await file.text();
  });
}
