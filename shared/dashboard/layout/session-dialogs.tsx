import type { View } from './view.ts';

/** Shown by the pages' script: before the session ends, and afterwards. */
export function SessionDialogs({ view: { links, session } }: { readonly view: View }) {
  return (
    <>
      <dialog
        id="session-warning"
        closedby="none"
        aria-labelledby="session-warning-title"
        data-session={links.session}
        data-seconds-left={session.secondsLeft}
      >
        <h2 id="session-warning-title">Are you still there?</h2>
        <p>You will be signed out in less than two minutes. What you typed stays on this page.</p>
        <button type="button">Stay signed in</button>
      </dialog>
      <dialog id="session-ended" closedby="none" aria-labelledby="session-ended-title">
        <h2 id="session-ended-title">You are signed out</h2>
        <p>
          Your session has ended. What you typed is kept as long as this page is open: sign in again, then
          continue.
        </p>
        <p role="alert" hidden>
          You are not signed in yet.
        </p>
        <p>
          <a class="button" href={links.signIn('/')} target="_blank" rel="noopener">
            Sign in (in a new tab)
          </a>
        </p>
        <button type="button" class="second">
          Continue with this page
        </button>
      </dialog>
    </>
  );
}
