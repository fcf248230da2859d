import type { Hono } from 'hono';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { ProjectPatientBody, registerPatient, viewPatient, viewPatients } from '#shared/admin/patients.ts';
import { findInProject } from '#shared/admin/task-search.ts';
import { viewTasks } from '#shared/admin/tasks.ts';
import { openAnswerBudget } from '#shared/http/response-size-budget.ts';
import type { Table } from '#shared/table/client.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { makeOnce, newFormKey, readFormKey, usedFormProblem } from '../forms/form-key.ts';
import { formStatus, textOf } from '../forms/form-values.ts';
import { insuranceKinds, patientErrors, readPatientForm, toPatientBody } from '../forms/patient-form.ts';
import { afterwards, wholeForm } from '../layout/notices.tsx';
import { SearchedFrom } from '../layout/search-form.tsx';
import { FoundPatientsPage } from '../pages/found-patients-page.tsx';
import { moreField, NewPatientPage, type NewPatientPageProps } from '../pages/new-patient-page.tsx';
import { PatientPage } from '../pages/patient-page.tsx';
import { PatientsPage } from '../pages/patients-page.tsx';
import {
  attempt,
  authorizeNamedProject,
  type DashboardContext,
  identifierOf,
  nextAddress,
  positionOf,
} from './request-context.ts';

const emptyPatient = readPatientForm(new FormData());
/** On the page of a patient; the list has all of them. */
const tasksShown = 10;

/** The patients of a project, a new one, and the search for one. */
export function addPatientPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  addListedPatients(app, services);
  addNewPatient(app, services);
  addSearch(app, services);
}

function addListedPatients(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  app.get('/projects/:project_id/patients', async (context) => {
    const { access, project, view } = await authorizeNamedProject(context, services);
    const position = positionOf(context);
    const page = await viewPatients(table, access, position);
    return context.html(
      <PatientsPage
        view={view}
        patients={page.patients}
        isFirstPage={position.cursor === null}
        next={nextAddress(links.patients(project.id), page.next_cursor)}
      />,
    );
  });

  app.get('/projects/:project_id/patients/:patient_id', async (context) => {
    const { access, view } = await authorizeNamedProject(context, services);
    const patient = await viewPatient(table, access, identifierOf(context, 'patient_id'));
    const { tasks, next_cursor } = await viewTasks(table, access, {
      limit: tasksShown,
      cursor: null,
      openBudget: openAnswerBudget,
      status: null,
      taskType: null,
      patientId: patient.id,
    });
    return context.html(
      <PatientPage
        view={view}
        patient={patient}
        tasks={tasks}
        hasMoreTasks={next_cursor !== null}
        done={context.req.query('done')}
      />,
    );
  });
}

const newPatientRoute = '/projects/:project_id/new-patient';

function addNewPatient(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  const show = (
    context: DashboardContext,
    form: Partial<NewPatientPageProps> & Pick<NewPatientPageProps, 'view'>,
  ) => {
    const { errors = {} } = form;
    return context.html(
      <NewPatientPage formKey={newFormKey()} values={emptyPatient} more={null} {...form} errors={errors} />,
      formStatus(errors),
    );
  };

  app.get(newPatientRoute, async (context) => {
    const { view } = await authorizeNamedProject(context, services, 'owner');
    return show(context, { view });
  });

  app.post(newPatientRoute, async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'owner');
    const form = await context.req.formData();
    const formKey = readFormKey(form);
    const values = readPatientForm(form);
    const more = insuranceKinds.find((kind) => kind === textOf(form, moreField));
    if (more !== undefined) return show(context, { view, formKey, values, more });
    const body = ProjectPatientBody.safeParse(toPatientBody(values));
    if (!body.success) return show(context, { view, formKey, values, errors: patientErrors(body.error) });
    const registered = await attempt(() => registerOnce(table, access, formKey, body.data));
    if (!registered.done) return show(context, { view, formKey, values, errors: registered.errors });
    if (registered.result === null) {
      return show(context, { view, values, errors: { [wholeForm]: usedFormProblem } });
    }
    const address = links.patient(access.project.id, registered.result);
    return context.redirect(afterwards(address, 'patient-created'), 303);
  });
}

/** As `makeOnce` does it. */
function registerOnce(
  table: Table,
  access: ProjectAccess,
  key: string,
  body: ProjectPatientBody,
): Promise<string | null> {
  return makeOnce(
    table,
    { scope: access.project.id, key, route: newPatientRoute, body },
    async (remember) => {
      const { id } = await registerPatient(table, access, body, (patient) => remember({ id: patient.id }));
      return { id };
    },
  );
}

function addSearch(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  // Whoever comes back to the address of what they have found is led to where they can look for it again.
  app.get('/projects/:project_id/find', async (context) => {
    const { project } = await authorizeNamedProject(context, services);
    return context.redirect(links.patients(project.id), 303);
  });

  app.post('/projects/:project_id/find', async (context) => {
    const { access, view } = await authorizeNamedProject(context, services);
    const form = await context.req.formData();
    const text = textOf(form, 'text');
    const from = SearchedFrom.safeParse(textOf(form, 'from')).data ?? 'patients';
    const found = await findInProject(table, access, text);
    const { id } = access.project;
    switch (found?.kind) {
      case 'task':
        return context.redirect(links.task(id, found.id), 303);
      case 'patient':
        return context.redirect(
          from === 'tasks' ? `${links.tasks(id)}?patient_id=${found.id}` : links.patient(id, found.id),
          303,
        );
      default:
        return context.html(
          <FoundPatientsPage
            view={view}
            from={from}
            text={text}
            patients={found?.patients ?? []}
            isAll={found?.isAll ?? true}
          />,
        );
    }
  });
}
