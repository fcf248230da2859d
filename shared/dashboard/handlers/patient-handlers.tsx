import type { Hono } from 'hono';
import { readKeyNames } from '#shared/admin/api-keys.ts';
import { viewPatientAccess } from '#shared/admin/audit-log.ts';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import {
  editPatient,
  ProjectPatientBody,
  registerPatient,
  viewDuplicates,
  viewPatientRecord,
  viewPatients,
} from '#shared/admin/patients.ts';
import { findInProject, type PatientName, readPatientNames } from '#shared/admin/task-search.ts';
import { viewTasks } from '#shared/admin/tasks.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import { patientWasChanged } from '#shared/patients/change-patient.ts';
import { getPatientResource, type PatientResource } from '#shared/patients/patient-resource.ts';
import type { Table } from '#shared/table/client.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { makeOnce, newFormKey, readFormKey, usedFormProblem } from '../forms/form-key.ts';
import { formStatus, textOf } from '../forms/form-values.ts';
import { readOpened } from '../forms/merge-edit.ts';
import { mergePatient } from '../forms/merge-patient.ts';
import {
  emptyPatient,
  type InsuranceKind,
  insuranceKinds,
  type PatientForm,
  patientChanges,
  patientErrors,
  readPatientForm,
  toPatientBody,
  toPatientForm,
} from '../forms/patient-form.ts';
import { afterwards, wholeForm } from '../layout/notices.tsx';
import { SearchedFrom } from '../layout/search-form.tsx';
import { FoundPage } from '../pages/found-page.tsx';
import { PatientAccessPage } from '../pages/patient-access-page.tsx';
import {
  anotherField,
  moreField,
  PatientFormPage,
  type PatientFormPageProps,
} from '../pages/patient-form-page.tsx';
import { PatientPage } from '../pages/patient-page.tsx';
import { PatientsPage } from '../pages/patients-page.tsx';
import {
  attempt,
  authorizeNamedProject,
  type DashboardContext,
  identifierOf,
  nextAddress,
  type Outcome,
  positionOf,
} from './request-context.ts';
import { openSearch, sealSearch } from './sealed-search.ts';

/** On a patient's page; the list has all of them. */
const tasksShown = 10;

/** The patients of a project: list, form and search. */
export function addPatientPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  addListedPatients(app, services);
  addNewPatient(app, services);
  addEditedPatient(app, services);
  addSearch(app, services);
}

function addListedPatients(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  app.get('/projects/:project_id/patients', async (context) => {
    const { access, project, view } = await authorizeNamedProject(context, services, 'patients.read');
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
    const { access, view } = await authorizeNamedProject(context, services, 'patients.read');
    const { patient, changes } = await viewPatientRecord(table, access, identifierOf(context, 'patient_id'));
    const { tasks, next_cursor } = await viewTasks(table, access, {
      limit: tasksShown,
      cursor: null,
      openBudget: openResponseBudget,
      status: null,
      taskType: null,
      patientId: patient.id,
    });
    return context.html(
      <PatientPage
        view={view}
        patient={patient}
        changes={changes}
        tasks={tasks}
        hasMoreTasks={next_cursor !== null}
        done={context.req.query('done')}
      />,
    );
  });

  app.get('/projects/:project_id/patients/:patient_id/access-log', async (context) => {
    const { access, project, view } = await authorizeNamedProject(context, services, 'access.read');
    const patientId = identifierOf(context, 'patient_id');
    const log = await viewPatientAccess(table, access, patientId, positionOf(context));
    return context.html(
      <PatientAccessPage
        view={view}
        patientId={patientId}
        entries={log.entries}
        keyNames={await readKeyNames(table, project.id, log.entries)}
        next={nextAddress(links.patient(project.id, patientId, '/access-log'), log.next_cursor)}
      />,
    );
  });
}

const newPatientRoute = '/projects/:project_id/new-patient';

function addNewPatient(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  app.get(newPatientRoute, async (context) => {
    const { view } = await authorizeNamedProject(context, services, 'patients.write');
    return showForm(context, { view });
  });

  app.post(newPatientRoute, async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'patients.write');
    const form = await context.req.formData();
    const formKey = readFormKey(form);
    const values = readPatientForm(form);
    const shown = { view, formKey, values };
    const more = moreOf(form);
    if (more !== null) return showForm(context, { ...shown, more });
    const said = parsePatientForm(values, access);
    if (!said.done) return showForm(context, { ...shown, errors: said.errors });
    // Only the request that creates the patient looks for duplicates; a form sent again leads to that patient.
    let same: readonly PatientName[] = [];
    const checkOthers = async () => {
      if (textOf(form, anotherField) !== '') return;
      same = await viewDuplicates(table, access, said.result);
      if (same.length > 0) throw new ServiceError('conflict', 'Check whether this patient already exists');
    };
    const registered = await attempt(() => registerOnce(table, access, formKey, said.result, checkOthers));
    if (!registered.done) return showForm(context, { ...shown, same, errors: registered.errors });
    return registered.result === null
      ? showForm(context, { view, values, errors: { [wholeForm]: usedFormProblem } })
      : leadTo(context, access, registered.result);
  });

  const leadTo = (context: DashboardContext, { project }: ProjectAccess, patientId: string) =>
    context.redirect(afterwards(links.patient(project.id, patientId), 'patient-created'), 303);
}

function showForm(
  context: DashboardContext,
  form: Partial<PatientFormPageProps> & Pick<PatientFormPageProps, 'view'>,
) {
  const { errors = {} } = form;
  return context.html(
    <PatientFormPage
      edited={null}
      formKey={newFormKey()}
      values={emptyPatient}
      more={null}
      same={[]}
      {...form}
      errors={errors}
    />,
    formStatus(errors),
  );
}

/** The kind of insurance to add another of. */
function moreOf(form: FormData): InsuranceKind | null {
  return insuranceKinds.find((kind) => kind === textOf(form, moreField)) ?? null;
}

/** The patient in the form, or its errors. */
function parsePatientForm(values: PatientForm, { project }: ProjectAccess): Outcome<ProjectPatientBody> {
  const body = ProjectPatientBody.safeParse(toPatientBody(values, project.default_country));
  return body.success
    ? { done: true, result: body.data }
    : { done: false, errors: patientErrors(body.error) };
}

const editRoute = '/projects/:project_id/patients/:patient_id/edit';

function addEditedPatient(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  app.get(editRoute, async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'patients.write');
    const { patient } = await viewPatientRecord(table, access, identifierOf(context, 'patient_id'));
    const values = toPatientForm(patient);
    return showForm(context, {
      view,
      edited: { id: patient.id, readAt: patient.updated_at, opened: values },
      values,
    });
  });

  app.post(editRoute, async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'patients.write');
    const id = identifierOf(context, 'patient_id');
    const form = await context.req.formData();
    const values = readPatientForm(form);
    const readAt = textOf(form, 'read_at');
    const opened = readOpened(form);
    const shown = { view, edited: { id, readAt, opened }, values };
    const more = moreOf(form);
    if (more !== null) return showForm(context, { ...shown, more });
    const mergeInto = (patient: PatientResource) => {
      const stored = toPatientForm(patient);
      const isCurrent = readAt === patient.updated_at;
      return { stored, ...mergePatient({ opened: isCurrent ? stored : opened, typed: values, stored }) };
    };
    const current = await getPatientResource(table, access.project.id, id);
    const merged = mergeInto(current);
    const said = parsePatientForm(merged.values, access);
    if (!said.done) return showForm(context, { ...shown, errors: said.errors });
    const saved = await attempt(async () => {
      if (Object.keys(merged.errors).length > 0) throw patientWasChanged();
      const changes = patientChanges(current, said.result, access.project.default_country);
      await editPatient(table, access, { patientId: id, changes, readAt: current.updated_at });
    });
    if (saved.done) {
      return context.redirect(afterwards(links.patient(access.project.id, id), 'patient-saved'), 303);
    }
    if ('external_id' in saved.errors) return showForm(context, { ...shown, errors: saved.errors });
    const { patient } = await viewPatientRecord(table, access, id);
    const { stored, values: shownAgain, errors } = mergeInto(patient);
    return showForm(context, {
      view,
      edited: { id, readAt: patient.updated_at, opened: stored },
      values: shownAgain,
      errors: { ...saved.errors, ...errors },
    });
  });
}

/** As in `makeOnce`. */
function registerOnce(
  table: Table,
  access: ProjectAccess,
  key: string,
  body: ProjectPatientBody,
  check: () => Promise<void>,
): Promise<string | null> {
  return makeOnce(
    table,
    { scope: access.project.id, key, route: newPatientRoute, body },
    async (remember) => {
      await check();
      const { id } = await registerPatient(table, access, body, (patient) => remember({ id: patient.id }));
      return { id };
    },
  );
}

function addSearch(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  app.post('/projects/:project_id/find', async (context) => {
    const { project } = await authorizeNamedProject(context, services, 'patients.read');
    const form = await context.req.formData();
    const from = SearchedFrom.safeParse(textOf(form, 'from')).data ?? 'patients';
    const q = await sealSearch(context, services, textOf(form, 'text'));
    return context.redirect(`${links.find(project.id)}?${new URLSearchParams({ from, q })}`, 303);
  });

  app.get('/projects/:project_id/find', async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'patients.read');
    const text = await openSearch(context, services);
    if (text === null) return context.redirect(links.patients(access.project.id), 303);
    const from = SearchedFrom.safeParse(context.req.query('from')).data ?? 'patients';
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
      default: {
        const tasks = found?.tasks ?? [];
        const names = await readPatientNames(
          table,
          access,
          tasks.map(({ patient_id }) => patient_id),
        );
        return context.html(
          <FoundPage
            view={view}
            from={from}
            text={text}
            patients={found?.patients ?? []}
            tasks={tasks}
            names={names}
            phoneNumber={found?.phoneNumber ?? null}
            isAll={found?.isAll ?? true}
            now={new Date()}
          />,
        );
      }
    }
  });
}
