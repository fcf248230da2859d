import type { Child } from 'hono/jsx';
import { may, type Permission } from '#shared/domain/permissions.ts';
import type { Role } from '#shared/domain/person.ts';
import type { CarrierName, Project } from '#shared/domain/project.ts';
import type { Links } from '../links.ts';
import { type Crumb, Page } from './page.tsx';
import type { View } from './view.ts';

/** A project with its reader's role, for its pages. */
export interface ProjectView extends View {
  readonly project: Pick<Project, 'id' | 'name' | 'carrier' | 'live_grant'>;
  readonly role: Role;
  /** Whether the service sends email. */
  readonly sendsMail: boolean;
}

/** The permission and URL of each section. */
const sectionPages = {
  Overview: { needed: 'project.read', link: 'project' },
  Tasks: { needed: 'tasks.read', link: 'tasks' },
  Patients: { needed: 'patients.read', link: 'patients' },
  General: { needed: 'project.read', link: 'general' },
  'API Keys': { needed: 'keys.read', link: 'apiKeys' },
  Webhooks: { needed: 'webhooks.read', link: 'webhooks' },
  Destinations: { needed: 'destinations.read', link: 'destinations' },
  Templates: { needed: 'templates.read', link: 'templates' },
  'Do Not Call': { needed: 'opt-outs.read', link: 'doNotCall' },
  Members: { needed: 'members.read', link: 'members' },
  Alerts: { needed: 'tasks.read', link: 'alerts' },
  'Audit Log': { needed: 'audit.read', link: 'auditLog' },
} as const satisfies Readonly<Record<string, { needed: Permission; link: keyof Links }>>;

export type Section = keyof typeof sectionPages;
export const sections = Object.keys(sectionPages) as Section[];
const work = sections.slice(0, 3);
const settings = sections.slice(3);

/** A page of a project, with its navigation. */
export function ProjectPage({
  view,
  section,
  title = section,
  heading = title,
  intro,
  action,
  children,
}: {
  readonly view: ProjectView;
  readonly section: Section;
  /** Of a page below the section's own. */
  readonly title?: string;
  /** The heading, if it must stay out of browser histories, unlike the title. */
  readonly heading?: string;
  readonly intro?: Child;
  /** The page's primary actions. */
  readonly action?: Child;
  readonly children: Child;
}) {
  const { links, project, role, sendsMail } = view;
  const isOpen = (name: Section): boolean =>
    may(role, sectionPages[name].needed) && (name !== 'Alerts' || sendsMail);
  const crumbs: Crumb[] = [
    { label: 'Projects', href: `${links.home}?${new URLSearchParams({ section })}` },
    { label: project.name, href: links.project(project.id) },
    ...(title === section ? [] : [{ label: section, href: sectionLink(links, section, project.id) }]),
  ];
  return (
    <Page view={view} title={`${title} · ${project.name}`} crumbs={crumbs}>
      <div class="within">
        <nav class="sections" aria-label="Project">
          {/* Collapsed only where there is no room for it. */}
          <details>
            <summary>
              <span class="unseen">Menu: </span>
              {section}
            </summary>
            <ul>
              {work.filter(isOpen).map((name) => (
                <SectionLink view={view} name={name} section={section} title={title} />
              ))}
            </ul>
            <p id="settings">Project Settings</p>
            <ul aria-labelledby="settings">
              {settings.filter(isOpen).map((name) => (
                <SectionLink view={view} name={name} section={section} title={title} />
              ))}
            </ul>
          </details>
        </nav>
        <main id="content" tabindex={-1}>
          <div class="head">
            <div>
              <h1>{heading}</h1>
              {intro === undefined ? null : <p class="quiet">{intro}</p>}
            </div>
            {action}
          </div>
          {children}
        </main>
      </div>
    </Page>
  );
}

function SectionLink({
  view: { links, project },
  name,
  section,
  title,
}: {
  readonly view: ProjectView;
  readonly name: Section;
  readonly section: Section;
  readonly title: string;
}) {
  return (
    <li>
      <a
        href={sectionLink(links, name, project.id)}
        {...(name === section ? { 'aria-current': title === section ? 'page' : 'true' } : {})}
      >
        {name}
      </a>
    </li>
  );
}

/** The page of a project's section, or the project's first page if the role may not read it. */
export function sectionLinkFor(
  links: Links,
  section: Section,
  { id, role }: Pick<ProjectView, 'role'> & { id: string },
) {
  return may(role, sectionPages[section].needed) ? sectionLink(links, section, id) : links.project(id);
}

function sectionLink(links: Links, section: Section, projectId: string): string {
  return links[sectionPages[section].link](projectId);
}

export const carrierNames: Readonly<Record<CarrierName, string>> = {
  sandbox: 'Sandbox',
  live: 'Live',
};

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  manager: 'Manager',
  staff: 'Staff',
  viewer: 'Viewer',
  auditor: 'Auditor',
};
