import type { Hono } from 'hono';
import { changeProject, createProjectOf, listProjects, NewProjectBody } from '#shared/admin/projects.ts';
import { usualCountry } from '#shared/domain/project.ts';
import { toE164 } from '#shared/domain/written-phone-number.ts';
import { isJsonObject } from '#shared/http/clean-json.ts';
import { ProjectSettings } from '#shared/projects/project-settings.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { makeOnce, newFormKey, readFormKey, usedFormProblem } from '../forms/form-key.ts';
import { type FieldErrors, type FormProblems, formStatus, textOf } from '../forms/form-values.ts';
import { mergeEdit, nowSaved, readOpened } from '../forms/merge-edit.ts';
import {
  readSettingsForm,
  type SettingsForm,
  settingsFieldOf,
  settingsProblems,
  toSettings,
  toSettingsForm,
} from '../forms/settings-form.ts';
import { afterwards, wholeForm } from '../layout/notices.tsx';
import { sections } from '../layout/project-page.tsx';
import { memberText, memberValueText } from '../pages/audit-words.ts';
import { GeneralPage } from '../pages/general-page.tsx';
import { type NewProjectForm, NewProjectPage } from '../pages/new-project-page.tsx';
import { ProjectsPage } from '../pages/projects-page.tsx';
import {
  authorizeNamedProject,
  callerOf,
  type DashboardContext,
  nextAddress,
  parameterOf,
  positionOf,
  viewOf,
} from './request-context.ts';
import { submitForm } from './submit-form.ts';

const newProjectPath = '/new-project';
const emptyForm: NewProjectForm = { name: '', caller_number: '' };
const newProjectProblems: FormProblems = {
  sentences: settingsProblems.sentences,
  refusedAt: 'caller_number',
};

/** The list of projects, a new one, and Project Settings > General. */
export function addProjectPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  app.get('/', async (context) => {
    const page = await listProjects(table, callerOf(context, services), positionOf(context));
    const section = sections.find((name) => name === context.req.query('section')) ?? 'Overview';
    return context.html(
      <ProjectsPage
        view={viewOf(context, services)}
        projects={page.projects}
        section={section}
        next={nextAddress(links.home, page.next_cursor, { section })}
      />,
    );
  });

  const newProject = (
    context: DashboardContext,
    values: NewProjectForm,
    { formKey = newFormKey(), errors = {} }: { formKey?: string; errors?: FieldErrors } = {},
  ) =>
    context.html(
      <NewProjectPage view={viewOf(context, services)} values={values} formKey={formKey} errors={errors} />,
      formStatus(errors),
    );
  app.get(newProjectPath, (context) => newProject(context, emptyForm));
  app.post(newProjectPath, async (context) => {
    const caller = callerOf(context, services);
    const form = await context.req.formData();
    const formKey = readFormKey(form);
    const values = {
      name: textOf(form, 'name'),
      caller_number: textOf(form, 'caller_number'),
    };
    const { caller_number, ...others } = values;
    const sent = {
      ...others,
      ...(caller_number === '' ? {} : { caller_number: toE164(caller_number, usualCountry) }),
    };
    const scope = `person ${caller.person.subject}`;
    const created = await submitForm(NewProjectBody, sent, newProjectProblems, (body) =>
      makeOnce(table, { scope, key: formKey, route: newProjectPath, body }, (remember) =>
        createProjectOf(services, caller, body, remember),
      ),
    );
    if (!created.done) return newProject(context, values, { formKey, errors: created.errors });
    return created.result === null
      ? newProject(context, values, { errors: { [wholeForm]: usedFormProblem } })
      : context.redirect(afterwards(links.project(created.result), 'project-created'), 303);
  });

  app.get('/projects/:project_id/settings', async (context) => {
    const { project, view } = await authorizeNamedProject(context, services);
    const values = toSettingsForm(project);
    return context.html(
      <GeneralPage
        view={view}
        values={values}
        opened={values}
        errors={{}}
        done={context.req.query('done')}
      />,
    );
  });
  app.post('/projects/:project_id/settings', async (context) => {
    const form = await context.req.formData();
    const values = readSettingsForm(form);
    const projectId = parameterOf(context, 'project_id');
    const saved = await submitForm(ProjectSettings, toSettings(values), settingsProblems, (settings) =>
      changeProject(table, callerOf(context, services), projectId, settings, values.read_at || null),
    );
    if (saved.done) return context.redirect(afterwards(links.general(projectId), 'settings-saved'), 303);
    const { project, view } = await authorizeNamedProject(context, services);
    const stored = toSettingsForm(project);
    const isCurrent = values.read_at === '' || values.read_at === stored.read_at;
    const merged = mergeSettings(isCurrent ? stored : readOpened(form), values, stored);
    return context.html(
      <GeneralPage
        view={view}
        values={merged.values}
        opened={stored}
        errors={{ ...saved.errors, ...merged.errors }}
        done={undefined}
      />,
      formStatus(saved.errors),
    );
  });
}

/** The form to show again, with what others saved where the person changed nothing. */
function mergeSettings(opened: unknown, sent: SettingsForm, stored: SettingsForm) {
  const typed = { ...sent, read_at: stored.read_at };
  const { values, conflicts } = mergeEdit({ opened, typed, stored });
  const labels = new Map<string, string>(
    pathsIn(toSettings(stored)).map((path) => [settingsFieldOf(path), memberText(path.join('.'))]),
  );
  const errors = conflicts.map(([name, saved]) => [
    name,
    nowSaved(labels.get(name) ?? name, memberValueText(name, saved)),
  ]);
  const ofOthers: FieldErrors = Object.fromEntries(errors);
  return { values, errors: ofOthers };
}

function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]));
}
