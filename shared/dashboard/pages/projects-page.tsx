import type { ProjectResource } from '#shared/admin/projects.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Moment } from '../layout/moment.tsx';
import { OlderLink } from '../layout/older-link.tsx';
import { Page } from '../layout/page.tsx';
import { carrierNames, roleNames, type Section, sectionLinkFor } from '../layout/project-page.tsx';
import type { View } from '../layout/view.ts';

/**
 * A person's projects.
 *
 * @param section to open in the chosen project
 * @param next URL of the next page
 */
export function ProjectsPage({
  view,
  projects,
  section,
  next,
}: {
  readonly view: View;
  readonly projects: readonly ProjectResource[];
  readonly section: Section;
  readonly next: string | null;
}) {
  const { links } = view;
  return (
    <Page view={view} title="Projects">
      <main id="content" tabindex={-1}>
        <div class="head">
          <div>
            <h1>Projects</h1>
            <p class="quiet">Each project has its own patients, keys, webhooks and calling hours.</p>
          </div>
          <a class="button" href={links.newProject}>
            New project
          </a>
        </div>
        <div class="card">
          {projects.length === 0 ? (
            <p>You have no projects yet. Create one, or ask an owner to add {view.session.person.email}.</p>
          ) : (
            <DataTable
              label="Projects"
              columns={['Name', 'Network', 'Your role', 'Created']}
              rows={projects.map(({ id, name, carrier, role, created_at }) => [
                <a href={sectionLinkFor(links, section, { id, role })}>{name}</a>,
                <span class={`state ${carrier === 'live' ? 'good' : 'plain'}`}>{carrierNames[carrier]}</span>,
                roleNames[role],
                <Moment at={created_at} />,
              ])}
            />
          )}
        </div>
        <OlderLink next={next} what="projects" />
      </main>
    </Page>
  );
}
