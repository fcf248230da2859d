import type { Child } from 'hono/jsx';
import { BrandMark } from './brand-mark.tsx';
import { Document } from './document.tsx';
import { ReadersTimeZone } from './moment.tsx';
import { PostForm } from './post-form.tsx';
import { SessionDialogs } from './session-dialogs.tsx';
import type { View } from './view.ts';

export interface Crumb {
  readonly label: string;
  readonly href: string;
}

/** A page for a signed-in person. */
export function Page({
  view,
  title,
  crumbs = [],
  children,
}: {
  readonly view: View;
  readonly title: string;
  /** The breadcrumbs above this page. */
  readonly crumbs?: readonly Crumb[];
  readonly children: Child;
}) {
  const { links, session } = view;
  return (
    <ReadersTimeZone.Provider value={view.timeZone}>
      <Document links={links} title={title}>
        <header class="top">
          <div>
            <a class="brand" href={links.home}>
              <BrandMark />
              Voice agent tasks
            </a>
            <div class="who">
              <span class="quiet">{session.person.name ?? session.person.email}</span>
              <PostForm view={view} action={links.signOut}>
                <button type="submit" class="second small">
                  Sign out
                </button>
              </PostForm>
            </div>
          </div>
        </header>
        <div class="frame">
          {crumbs.length === 0 ? null : (
            <nav class="crumbs" aria-label="Where you are">
              <ol>
                {crumbs.map(({ label, href }) => (
                  <li>
                    <a href={href}>{label}</a>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          {children}
        </div>
        <SessionDialogs view={view} />
      </Document>
    </ReadersTimeZone.Provider>
  );
}
