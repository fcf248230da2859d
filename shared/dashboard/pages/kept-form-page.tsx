import { Document } from '../layout/document.tsx';
import type { Links } from '../links.ts';

/** For somebody whose session ended before they sent a form: keeps the form until they have signed in again. */
export function KeptFormPage({
  links,
  action,
  fields,
}: {
  readonly links: Links;
  /** Where the form was sent to. */
  readonly action: string;
  /** All that it said, with names that may come several times. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}) {
  return (
    <Document links={links} title="You are signed out">
      <div class="frame">
        <main id="content" tabindex={-1} class="card welcome">
          <h1>You are signed out</h1>
          <p>
            Your session has ended, so nothing was saved yet. What you filled in is kept as long as this page
            is open.
          </p>
          <p>
            <a class="button" href={links.signIn('/')} target="_blank" rel="noopener">
              Sign in (in a new tab)
            </a>
          </p>
          <p>Then come back to this page, and send the form again.</p>
          <form method="post" action={action}>
            {fields.map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <button type="submit" class="second">
              Send the form again
            </button>
          </form>
        </main>
      </div>
    </Document>
  );
}
