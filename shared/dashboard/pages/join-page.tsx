import type { OpenInvitation } from '#shared/admin/invitations.ts';
import { Page } from '../layout/page.tsx';
import { PostForm } from '../layout/post-form.tsx';
import { roleNames } from '../layout/project-page.tsx';
import type { View } from '../layout/view.ts';

/** The page behind an invitation's link, after sign-in. */
export function JoinPage({
  view,
  token,
  invitation,
  project,
}: OpenInvitation & { readonly view: View; readonly token: string }) {
  return (
    <Page view={view} title="Join a project">
      <main id="content" tabindex={-1}>
        <section class="card">
          <h1>Join {project.name}</h1>
          <p>
            {invitation.invited_by} has invited you. Your role: {roleNames[invitation.role]}.
          </p>
          <PostForm view={view} action={view.links.join(project.id, token)}>
            <button type="submit">Join project</button>
          </PostForm>
        </section>
      </main>
    </Page>
  );
}

/** The same for every reason, so that others' invitations cannot be probed. */
export function NotInvitedPage({ view }: { readonly view: View }) {
  return (
    <Page view={view} title="Invitation not found">
      <main id="content" tabindex={-1}>
        <section class="card">
          <h1>Invitation not found</h1>
          <p>
            You are signed in as {view.session.person.email}. The link may have been used, revoked or replaced
            by a newer one, it may have expired, or it is for another email address.
          </p>
          <p>
            <a href={view.links.home}>Your projects</a>
          </p>
        </section>
      </main>
    </Page>
  );
}
