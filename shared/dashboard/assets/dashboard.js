/* What pages do beyond links and forms, which work without it. */

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

/* Pages tell moments in the time zone of whoever reads them, from the next page on. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const path = new URL('..', import.meta.url).pathname;
const inYearMs = Date.now() + 365 * 24 * 60 * 60 * 1000;
window.cookieStore?.set({ name: 'vat_time_zone', value: timeZone, path, expires: inYearMs, sameSite: 'lax' });

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
function followRecordings() {
  for (const conversation of document.querySelectorAll('[data-conversation]')) {
    const turns = [...conversation.querySelectorAll('[data-offset-ms]')];
    const player = conversation.querySelector('audio');
    player?.addEventListener('timeupdate', () => {
      const heard = turns.findLast((turn) => Number(turn.dataset.offsetMs) <= player.currentTime * 1000);
      for (const turn of turns) turn.classList.toggle('heard', turn === heard);
    });
  }
}
followRecordings();

const pollMs = 2000;
/* Asks whether something has changed, and only then for the page. */
async function followChanges() {
  const live = document.querySelector('[data-live]');
  if (live === null) return;
  try {
    const isBusy = live.querySelector('details[open]') !== null || isPlaying(live);
    if (!document.hidden && !isBusy) {
      const answer = await fetch(live.dataset.live, { redirect: 'error' });
      if (answer.ok && (await answer.text()) !== live.dataset.version) await loadAnew();
    }
  } catch {
    // The next time may be better.
  }
  window.setTimeout(followChanges, pollMs);
}

function isPlaying(part) {
  return [...part.querySelectorAll('audio')].some((player) => !player.paused);
}

async function loadAnew() {
  const answer = await fetch(window.location.href, { redirect: 'error' });
  if (!answer.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live');
  if (next === null) return;
  document.getElementById('live').replaceWith(next);
  followRecordings();
}
window.setTimeout(followChanges, pollMs);
