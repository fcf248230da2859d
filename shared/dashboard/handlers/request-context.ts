import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { authorizeProject, type ProjectAccess } from '#shared/admin/authorize-project.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { Permission } from '#shared/domain/permissions.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import type { ListPosition } from '#shared/lists/list-page.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import type { FieldErrors } from '../forms/form-values.ts';
import { wholeForm } from '../layout/notices.tsx';
import type { ProjectView } from '../layout/project-page.tsx';
import type { View } from '../layout/view.ts';

export type DashboardContext = Context<DashboardRequest>;

/** Throws `unauthenticated` without a session; such requests do not get this far. */
export function viewOf(context: DashboardContext, { links }: DashboardServices): View {
  const session = context.get('session');
  if (session === null) throw new ServiceError('unauthenticated', 'Sign in first');
  return { links, session, timeZone: timeZoneOf(context) };
}

/** Set by the pages' script, because only the browser knows the reader's time zone. */
const timeZoneCookie = 'vat_time_zone';

function timeZoneOf(context: DashboardContext): string {
  const timeZone = getCookie(context, timeZoneCookie) ?? 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** The person as the management API's caller. */
export function callerOf(context: DashboardContext, services: DashboardServices): AdminCaller {
  const { person, id: sessionId } = viewOf(context, services).session;
  const { requestId, sourceIp } = context.env;
  return { person, requestId, sourceIp, sessionId };
}

export interface AuthorizedProject {
  readonly access: ProjectAccess;
  readonly project: Project;
  readonly view: ProjectView;
}

/**
 * The project in the path, for its members. Throws `not_found` for others, and `forbidden` for members without the
 * permission.
 */
export async function authorizeNamedProject(
  context: DashboardContext,
  services: DashboardServices,
  needed: Permission = 'project.read',
): Promise<AuthorizedProject> {
  const access = await authorizeProject(
    services.table,
    callerOf(context, services),
    parameterOf(context, 'project_id'),
    needed,
  );
  const { project, role } = access;
  const view = viewOf(context, services);
  // With a clinic time zone, a date means the same day to everyone.
  return {
    access,
    project,
    view: {
      ...view,
      timeZone: project.time_zone ?? view.timeZone,
      project,
      role,
      sendsMail: services.sendsMail,
    },
  };
}

/** A path parameter; empty if the route lacks it. */
export function parameterOf(context: DashboardContext, name: string): string {
  return context.req.param(name) ?? '';
}

/** An ID in the path. Throws the same `not_found` for a malformed ID as for an unknown one. */
export function identifierOf(context: DashboardContext, name: string): string {
  const id = Uuid.safeParse(parameterOf(context, name));
  if (id.success) return id.data;
  throw new ServiceError('not_found', 'Not found');
}

export const pageLength = 25;

export function positionOf(context: DashboardContext): ListPosition {
  return { limit: pageLength, cursor: context.req.query('cursor') ?? null, openBudget: openResponseBudget };
}

/** Page number of a list that is read whole, from 1. */
export function pageNumberOf(context: DashboardContext): number {
  return Number(/^[1-9]\d{0,4}$/.exec(context.req.query('page') ?? '')?.[0] ?? 1);
}

/** URL of a list's next page; null on the last. */
export function nextAddress(
  address: string,
  cursor: string | null,
  others: Readonly<Record<string, string | null>> = {},
): string | null {
  if (cursor === null) return null;
  const query = new URLSearchParams({ cursor });
  for (const [name, value] of Object.entries(others)) if (value !== null) query.set(name, value);
  return `${address}?${query}`;
}

/** A result, or a refusal to show in the form. */
export type Outcome<Result> =
  | { readonly done: true; readonly result: Result }
  | { readonly done: false; readonly errors: FieldErrors };

/**
 * Does what a form asks for. Refusals that the person can fix are shown in the form; everything else has its own page.
 *
 * @param field that shows the refusal
 * @param ofMember text and field for a refusal of a body member
 */
export async function attempt<Result>(
  work: () => Promise<Result>,
  field: string = wholeForm,
  ofMember: (path: string) => FieldErrors | null = () => null,
): Promise<Outcome<Result>> {
  try {
    return { done: true, result: await work() };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'external_id_taken') {
      return { done: false, errors: { external_id: 'Another patient of this project has this MRN' } };
    }
    if (
      !(error instanceof ServiceError) ||
      !['invalid_request', 'missing_required_fields', 'conflict'].includes(error.code)
    )
      throw error;
    const [member] = error.fields;
    const errors = member === undefined ? null : ofMember(member.path);
    return { done: false, errors: errors ?? { [field]: error.detail } };
  }
}
