import type { Hono } from 'hono';
import { changeProject, createProjectOf, listProjects, NewProjectBody } from '#shared/admin/projects.ts';
import { ProjectSettings } from '#shared/projects/project-settings.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { type FieldErrors, fieldErrors, textOf } from '../forms/form-values.ts';
import { readSettingsForm, type SettingsForm, settingsFieldOf, toSettings } from '../forms/settings-form.ts';
import { afterwards } from '../layout/notices.tsx';
import { GeneralPage, settingsFormOf, settingsProblems } from '../pages/general-page.tsx';
import { type NewProjectForm, NewProjectPage } from '../pages/new-project-page.tsx';
import { ProjectsPage } from '../pages/projects-page.tsx';
import {
  attempt,
  callerOf,
  type DashboardContext,
  enterNamedProject,
  nextAddress,
  parameterOf,
  positionOf,
  viewOf,
} from './request-context.ts';

/** The list of projects, a new one, and Project Settings > General. */
export function addProjectPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, publicBaseUrl } = services;

  app.get('/', async (context) => {
    const { body } = await listProjects(
      { table, publicBaseUrl },
      callerOf(context, services),
      positionOf(context),
    );
    return context.html(
      <ProjectsPage
        view={viewOf(context, services)}
        projects={body.projects}
        next={nextAddress(links.home, body.next_cursor)}
      />,
    );
  });

  const newProject = (context: DashboardContext, values: NewProjectForm, errors: FieldErrors) =>
    context.html(
      <NewProjectPage view={viewOf(context, services)} values={values} errors={errors} />,
      Object.keys(errors).length === 0 ? 200 : 400,
    );
  app.get('/new-project', (context) =>
    newProject(context, { name: '', carrier: 'sandbox', caller_number: '' }, {}),
  );
  app.post('/new-project', async (context) => {
    const form = await context.req.formData();
    const values = {
      name: textOf(form, 'name'),
      carrier: textOf(form, 'carrier'),
      caller_number: textOf(form, 'caller_number'),
    };
    const { caller_number, ...others } = values;
    const body = NewProjectBody.safeParse({ ...others, ...(caller_number === '' ? {} : { caller_number }) });
    if (!body.success) {
      const errors = fieldErrors(body.error, ([field]) => String(field), {
        ...settingsProblems,
        carrier: 'Choose a network',
      });
      return newProject(context, values, errors);
    }
    const created = await attempt(
      () => createProjectOf(table, callerOf(context, services), body.data),
      'caller_number',
    );
    return created.done
      ? context.redirect(afterwards(links.project(created.result.id), 'project-created'), 303)
      : newProject(context, values, created.errors);
  });

  app.get('/projects/:project_id/settings', async (context) => {
    const { project, view } = await enterNamedProject(context, services);
    return context.html(
      <GeneralPage
        view={view}
        values={settingsFormOf(project)}
        errors={{}}
        done={context.req.query('done')}
      />,
    );
  });
  app.post('/projects/:project_id/settings', async (context) => {
    const values = readSettingsForm(await context.req.formData());
    const refuse = async (errors: FieldErrors) => generalWithErrors(context, values, errors);
    const settings = ProjectSettings.safeParse(toSettings(values));
    if (!settings.success) {
      return refuse(fieldErrors(settings.error, settingsFieldOf, settingsProblems));
    }
    const projectId = parameterOf(context, 'project_id');
    const saved = await attempt(() =>
      changeProject(table, callerOf(context, services), projectId, settings.data),
    );
    return saved.done
      ? context.redirect(afterwards(links.general(projectId), 'settings-saved'), 303)
      : refuse(saved.errors);
  });

  async function generalWithErrors(context: DashboardContext, values: SettingsForm, errors: FieldErrors) {
    const { view } = await enterNamedProject(context, services);
    return context.html(<GeneralPage view={view} values={values} errors={errors} done={undefined} />, 400);
  }
}
