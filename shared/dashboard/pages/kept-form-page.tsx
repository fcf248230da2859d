import { Document } from '../layout/document.tsx';
import type { Links } from '../links.ts';

/** Keeps a submitted form after the session ended, until the person has signed in again. */
export function KeptFormPage({
  links,
  action,
  lacksFile,
  fields,
}: {
  readonly links: Links;
  /** The form's action. */
  readonly action: string;
  /** Whether it had a file, which no page can keep. The form's page is then at its action. */
  readonly lacksFile: boolean;
  /** All of its values; names may repeat. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}) {
  return (
    <Document links={links} title="You are signed out">
      <div class="frame">
        <main id="content" tabindex={-1} class="card welcome">
          <h1>You are signed out</h1>
          <p>
            Your session has ended, so nothing was saved yet.{' '}
            {lacksFile
              ? 'The file you chose is not kept.'
              : 'What you filled in is kept as long as this page is open.'}
          </p>
          <p>
            <a class="button" href={links.signIn('/')} target="_blank" rel="noopener">
              Sign in (in a new tab)
            </a>
          </p>
          {lacksFile ? (
            <p>
              Then <a href={action}>choose the file again</a>.
            </p>
          ) : (
            <>
              <p>Then come back to this page, and send the form again.</p>
              <form method="post" action={action}>
                {fields.map(([name, value]) => (
                  <input type="hidden" name={name} value={value} />
                ))}
                <button type="submit" class="second">
                  Send the form again
                </button>
              </form>
            </>
          )}
        </main>
      </div>
    </Document>
  );
}
