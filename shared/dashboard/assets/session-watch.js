/*
 * Warns before the session ends, keeps it alive while somebody types or clicks, and covers the page when it has ended.
 * What was typed stays in the page, so whoever signs in again in another tab goes on where they were.
 */

/** Requests with it are not taken for a sign of life of a person. */
export const byItself = { 'X-Background': 'true' };

const warnBeforeMs = 2 * 60_000;
const renewEveryMs = 60_000;

export function watchSession() {
  const warning = document.getElementById('session-warning');
  const ended = document.getElementById('session-ended');
  if (warning === null || ended === null) return;
  const { session: address, secondsLeft } = warning.dataset;
  const token = document.querySelector('input[name=form_token]').value;
  const notYet = ended.querySelector('[role=alert]');
  let timer;
  let renewedAtMs = Date.now();
  let endsAtMs = renewedAtMs + Number(secondsLeft) * 1000;

  /* Asks how long the session lasts, or by a form makes it last. Without an answer nothing changes. */
  async function ask(isRenewal) {
    const request = isRenewal
      ? { method: 'POST', body: new URLSearchParams({ form_token: token }) }
      : { headers: byItself };
    try {
      const answer = await fetch(address, { redirect: 'error', ...request });
      // Somebody else has signed in, so this page is not theirs.
      if (answer.status === 403) window.location.reload();
      else if (answer.status === 401) endsAtMs = Date.now();
      else if (answer.ok) endsAtMs = Date.now() + Number(await answer.text()) * 1000;
    } catch {
      // The next time may be better.
    }
  }

  async function look(isRenewal) {
    clearTimeout(timer);
    await ask(isRenewal);
    show();
  }

  function show() {
    clearTimeout(timer);
    const leftMs = endsAtMs - Date.now();
    const isOver = leftMs <= 0;
    const isClose = !isOver && leftMs <= warnBeforeMs;
    toggle(warning, isClose);
    toggle(ended, isOver);
    document.documentElement.classList.toggle('covered', isOver);
    if (!isOver) timer = setTimeout(() => look(false), isClose ? leftMs : leftMs - warnBeforeMs);
  }

  function noteActivity() {
    if (ended.open || warning.open || Date.now() - renewedAtMs < renewEveryMs) return;
    renewedAtMs = Date.now();
    look(true);
  }

  for (const name of ['input', 'keydown', 'pointerdown']) document.addEventListener(name, noteActivity);
  for (const dialog of [warning, ended]) dialog.addEventListener('cancel', (event) => event.preventDefault());
  warning.querySelector('button').addEventListener('click', () => look(true));
  ended.querySelector('button').addEventListener('click', async () => {
    await look(true);
    notYet.hidden = !ended.open;
  });
  // A machine that slept did not run the timer; and whoever comes back may have signed in elsewhere.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) look(ended.open);
  });
  // What the browser kept of a page when it was left is as old as that.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) look(false);
  });
  show();
}

function toggle(dialog, isOpen) {
  if (dialog.open === isOpen) return;
  if (isOpen) dialog.showModal();
  else dialog.close();
}
