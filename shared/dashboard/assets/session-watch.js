/*
 * Warns before the session ends, renews it while the reader types or clicks, and covers the page when it has ended.
 * Typed text stays in the page, so the reader can continue after signing in again in another tab.
 */

/** Marks background requests, which do not extend the session. */
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

  /* Reads the time left, or renews the session by sending a form. Without a response nothing changes. */
  async function ask(isRenewal) {
    const request = isRenewal
      ? { method: 'POST', body: new URLSearchParams({ form_token: token }) }
      : { headers: byItself };
    try {
      const answer = await fetch(address, { redirect: 'error', ...request });
      // Another person has signed in, who must not see this page.
      if (answer.status === 403) window.location.reload();
      else if (answer.status === 401) endsAtMs = Date.now();
      else if (answer.ok) endsAtMs = Date.now() + Number(await answer.text()) * 1000;
    } catch {
      // Retried by the next check.
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
  // Timers do not run while the machine sleeps, and the reader may have signed in in another tab.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) look(ended.open);
  });
  // A page restored from the browser's cache is out of date.
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
