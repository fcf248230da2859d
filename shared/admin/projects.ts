import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Created } from '#shared/domain/created.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { boundedConcurrency, boundedHours, mostAttempts } from '#shared/domain/live-bounds.ts';
import { type AdminCaller, Person, Role } from '#shared/domain/person.ts';
import { CarrierName, Project } from '#shared/domain/project.ts';
import { versionAfter } from '#shared/domain/version-after.ts';
import { fitPage, type ListPosition, toPageRequest } from '#shared/lists/list-page.ts';
import { type DataKeyServices, writeWithDataKey } from '#shared/projects/data-key.ts';
import {
  changeSettings,
  checkLiveBounds,
  newProjectOf,
  newProjectSettings,
  ProjectChanges,
  ProjectSettings,
} from '#shared/projects/project-settings.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem, listMemberships } from '#shared/table/member.ts';
import { getProject, putProject, replaceProjectItem } from '#shared/table/project.ts';
import { retentionItems } from '#shared/table/retention.ts';
import { isConflict, retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Alongside, nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import { auditItem } from './audit.ts';
import { authorizeProject, type ProjectAccess } from './authorize-project.ts';

/** A project as a member sees it, with their role. */
export const ProjectResource = z.extend(Project, { role: Role });
export type ProjectResource = z.infer<typeof ProjectResource>;

/** The answer to `GET /admin/projects`. */
export const ProjectList = z.object({
  projects: z.array(ProjectResource),
  next_cursor: z.nullable(z.string()),
});
export type ProjectList = z.infer<typeof ProjectList>;

/** The answer to `GET /admin/me`. */
export const Me = z.extend(Person, {
  projects: z.array(z.pick(ProjectResource, { id: true, name: true, carrier: true, role: true })),
});
type Me = z.infer<typeof Me>;

/** Body of `POST /admin/projects`; members left out get the carrier's defaults. */
export const NewProjectBody = z.extend(ProjectChanges, {
  name: ProjectSettings.shape.name,
  carrier: z._default(CarrierName, 'sandbox'),
});
type NewProjectBody = z.infer<typeof NewProjectBody>;

/**
 * Body of `PATCH /admin/projects/{project_id}`: absent members stay unchanged, also within policies, calling hours and
 * agent. Accepts the carrier, so that a project can be sent back as read.
 */
export const ProjectPatch = z.extend(ProjectChanges, { carrier: z.optional(CarrierName) });
type ProjectPatch = z.infer<typeof ProjectPatch>;

/** The caller and the newest projects they are a member of. */
export async function describeCaller(table: Table, { person }: AdminCaller): Promise<Me> {
  const memberships = await listMemberships(table, person.email);
  return { ...person, projects: await readProjects(table, memberships) };
}

/**
 * The caller's projects, newest first. Eventually consistent. Throws `invalid_request` for a cursor of another list.
 */
export async function listProjects(
  table: Table,
  { person }: AdminCaller,
  position: ListPosition,
): Promise<ProjectList> {
  const list = ['projects', person.email];
  const { limit, before } = toPageRequest(list, position);
  const memberships = (await listMemberships(table, person.email)).filter(
    ({ project_id }) => before === null || project_id < before,
  );
  const shown = memberships.slice(0, limit);
  const page = {
    items: await readProjects(table, shown),
    next: memberships.length > limit ? (shown.at(-1)?.project_id ?? null) : null,
  };
  const { resources: projects, nextCursor } = fitPage(list, page, position);
  return { projects, next_cursor: nextCursor };
}

async function readProjects(
  table: Table,
  memberships: readonly { readonly project_id: string; readonly role: Role }[],
): Promise<ProjectResource[]> {
  const projects = await Promise.all(
    memberships.map(async ({ project_id, role }) => {
      const project = await getProject(table, project_id);
      return project === null ? [] : [{ ...project, role }];
    }),
  );
  return projects.flat();
}

const liveByGrant = 'A project starts in the sandbox; an operator of this service grants live calls';

/**
 * Creates a project owned by the caller, without API keys. Throws `invalid_request` for inconsistent settings, and
 * `forbidden` for a live project.
 */
export async function createProjectOf(
  services: DataKeyServices,
  caller: AdminCaller,
  { carrier, ...wishes }: NewProjectBody,
  remember: Alongside<Created> = nothingAlongside,
): Promise<ProjectResource> {
  if (carrier === 'live') throw new ServiceError('forbidden', liveByGrant);
  const now = new Date();
  const settings = newProjectSettings(wishes);
  const project = newProjectOf(settings, now);
  const role = 'owner';
  const { created_at, updated_at } = project;
  const { table } = services;
  await writeWithDataKey(services, project.id, [
    ...remember({ id: project.id }),
    putProject(table, project),
    ...retentionItems(table, project, now),
    addMemberItem(table, {
      project_id: project.id,
      email: caller.person.email,
      role,
      created_at,
      updated_at,
    }),
    auditItem(
      table,
      { caller, project },
      { action: 'project.created', target: targetOf(project), after: { carrier, ...settings } },
      now,
    ),
  ]);
  return { ...project, role };
}

/** The project that the caller has authorized for. */
export function readProject({ project, role }: ProjectAccess): ProjectResource {
  return { ...project, role };
}

/**
 * Changes a project's settings. Concurrent changes apply one after the other. Throws `conflict` for another carrier or
 * too many concurrent changes, `forbidden` for settings that only an operator changes, `invalid_request` for
 * inconsistent settings.
 *
 * @param readAt `updated_at` of the settings as the caller saw them; if given, later changes throw `conflict`
 */
export async function changeProject(
  table: Table,
  caller: AdminCaller,
  projectId: string,
  { carrier, ...changes }: ProjectPatch,
  readAt: string | null = null,
): Promise<ProjectResource> {
  try {
    return await retryOnConflict(async () => {
      const access = await authorizeProject(table, caller, projectId, 'settings.change');
      const { project } = access;
      if (carrier !== undefined && carrier !== project.carrier) throw carrierIsFixed();
      if (readAt !== null && readAt !== project.updated_at) throw settingsWereChanged();
      const settings = settingsOf(project);
      const changedSettings = changeSettings(settings, changes);
      checkLiveBounds(project, changedSettings);
      const changed = difference(settings, changedSettings);
      if (changed === null) return readProject(access);
      const at = versionAfter(project, new Date());
      const next: Project = { ...project, ...changedSettings, updated_at: at.toISOString() };
      await writeTransaction(table, [
        replaceProjectItem(table, project, next),
        ...retentionItems(table, next, at),
        auditItem(table, access, { action: 'project.changed', target: targetOf(project), ...changed }, at),
      ]);
      return readProject({ ...access, project: next });
    });
  } catch (error) {
    throw isConflict(error)
      ? new ServiceError('conflict', 'Others are changing the project; try again')
      : error;
  }
}

function settingsWereChanged(): ServiceError {
  return new ServiceError('conflict', 'The settings were changed since this page was opened');
}

function carrierIsFixed(): ServiceError {
  return new ServiceError(
    'conflict',
    "A project's carrier cannot be changed here: an operator of this service grants live calls",
  );
}

function targetOf({ id }: Project): { type: 'project'; id: string } {
  return { type: 'project', id };
}

function settingsOf(project: Project): ProjectSettings {
  return {
    name: project.name,
    enabled_task_types: project.enabled_task_types,
    caller_number: project.caller_number,
    redial_policy: {
      ...project.redial_policy,
      max_attempts: Math.min(project.redial_policy.max_attempts, mostAttempts),
      delays_seconds: project.redial_policy.delays_seconds.slice(0, mostAttempts),
    },
    call_policy: project.call_policy,
    calling_hours: boundedHours(project),
    max_concurrent_calls: boundedConcurrency(project),
    recording_retention_days: project.recording_retention_days,
    task_retention_days: project.task_retention_days,
    patient_retention_days: project.patient_retention_days,
    audit_retention_days: project.audit_retention_days,
    legal_hold: project.legal_hold,
    agent: project.agent,
    default_country: project.default_country,
    time_zone: project.time_zone,
    allowed_countries: project.allowed_countries,
  };
}

/** The members that differ, before and after; null if none does. */
function difference(
  before: ProjectSettings,
  after: ProjectSettings,
): { before: Record<string, unknown>; after: Record<string, unknown> } | null {
  const previous = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => !isDeepStrictEqual(previous.get(name), value),
  );
  if (changed.length === 0) return null;
  return {
    before: Object.fromEntries(changed.map(([name]) => [name, previous.get(name)])),
    after: Object.fromEntries(changed),
  };
}
