import { BrandMark } from '../layout/brand-mark.tsx';
import { Document } from '../layout/document.tsx';
import { Notice } from '../layout/notices.tsx';
import type { Links } from '../links.ts';

/** The first page without a session. @param to where the person wanted to go */
export function WelcomePage({
  links,
  to,
  problem,
}: {
  readonly links: Links;
  readonly to: string;
  readonly problem?: string;
}) {
  return (
    <Document links={links} title="Sign in">
      <div class="frame">
        <main id="content" tabindex={-1} class="card welcome">
          <BrandMark />
          <h1>Voice agent tasks</h1>
          {problem === undefined ? null : (
            <Notice kind="bad" title="You are not signed in">
              <p>{problem}</p>
            </Notice>
          )}
          <p>Let a voice agent make your patients’ calls.</p>
          <p>
            <a class="button" href={links.signIn(to)}>
              Sign in
            </a>
          </p>
        </main>
      </div>
    </Document>
  );
}

/** Confirms the sign-out, and links to the identity provider's own. */
export function SignedOutPage({
  links,
  endAddress,
}: {
  readonly links: Links;
  readonly endAddress: URL | null;
}) {
  return (
    <Document
      links={links}
      title="Signed out"
      {...(endAddress === null ? {} : { continueAt: endAddress.href })}
    >
      <div class="frame">
        <main id="content" tabindex={-1} class="card welcome">
          <h1>You are signed out</h1>
          {endAddress === null ? null : (
            <p>
              <a href={endAddress.href}>Sign out of the identity provider, too</a>
            </p>
          )}
          <p>
            <a href={links.home}>Back to the sign-in page</a>
          </p>
        </main>
      </div>
    </Document>
  );
}
