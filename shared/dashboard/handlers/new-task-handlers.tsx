import type { Hono } from 'hono';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { viewPatients } from '#shared/admin/patients.ts';
import { findInProject, searchedAtMost, viewPatientNames } from '#shared/admin/task-search.ts';
import {
  createProjectTask,
  type ProjectTaskBody,
  projectTaskBodies,
  viewTaskInput,
} from '#shared/admin/tasks.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import { openAnswerBudget } from '#shared/http/response-size-budget.ts';
import { checkNewTask } from '#shared/tasks/check-new-task.ts';
import { checkSandboxPhone } from '#shared/tasks/check-sandbox-phone.ts';
import { enqueueDial } from '#shared/tasks/enqueue-dial.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { makeOnce, newFormKey, readFormKey, usedFormProblem } from '../forms/form-key.ts';
import { type FieldErrors, formStatus, textOf } from '../forms/form-values.ts';
import {
  emptyTaskForm,
  intentField,
  intents,
  type NewTaskForm,
  newTaskErrors,
  readNewTaskForm,
  toNewTaskBody,
  toNewTaskForm,
} from '../forms/new-task-form.ts';
import { afterwards, wholeForm } from '../layout/notices.tsx';
import type { NewTaskBeginning } from '../links.ts';
import { NewTaskPage, type PatientChoice, TaskTypePage } from '../pages/new-task-page.tsx';
import {
  type AuthorizedProject,
  authorizeNamedProject,
  type DashboardContext,
  type Outcome,
} from './request-context.ts';

const path = '/projects/:project_id/new-task';
const offeredPatients = 25;
const spareEntries = { usual: 2, more: 5 };

interface Shown {
  readonly formKey: string;
  readonly choice?: PatientChoice;
  readonly spareEntries?: number;
  readonly errors?: FieldErrors;
}

/** The form of a new task. */
export function addNewTaskPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, callQueue, hasSandboxPhone } = services;

  const chooseType = (
    context: DashboardContext,
    { project, view }: AuthorizedProject,
    { patient_id = null, refused = null }: { patient_id?: string | null; refused?: TaskType | null },
  ) => {
    return context.html(
      <TaskTypePage
        view={view}
        enabled={project.enabled_task_types}
        patientId={patient_id}
        refused={refused}
      />,
      refused === null ? 200 : 400,
    );
  };

  const show = async (
    context: DashboardContext,
    { access, view }: AuthorizedProject,
    form: NewTaskForm,
    { formKey, choice, spareEntries: spare = spareEntries.usual, errors = {} }: Shown,
  ) => {
    return context.html(
      <NewTaskPage
        view={view}
        form={form}
        formKey={formKey}
        choice={choice ?? (await newestPatients(access, form.patient_id))}
        spareEntries={spare}
        errors={errors}
      />,
      formStatus(errors),
    );
  };

  app.get(path, async (context) => {
    const authorized = await authorizeNamedProject(context, services, 'tasks.write');
    const { access, project } = authorized;
    const { form: formKey, ...beginning } = beginningOf(context);
    if (beginning.type === undefined && beginning.like === undefined)
      return chooseType(context, authorized, beginning);
    // Whoever comes back to the form after sending it comes back to the same key.
    if (formKey === undefined) {
      return context.redirect(links.newTask(project.id, { ...beginning, form: newFormKey() }), 303);
    }
    const form = await begin(access, beginning);
    if (form === null) return chooseType(context, authorized, beginning);
    return project.enabled_task_types.includes(form.task_type)
      ? show(context, authorized, form, { formKey })
      : chooseType(context, authorized, { patient_id: form.patient_id || null, refused: form.task_type });
  });

  app.post(path, async (context) => {
    const authorized = await authorizeNamedProject(context, services, 'tasks.write');
    const { access, project } = authorized;
    const sent = await context.req.formData();
    const formKey = readFormKey(sent);
    const taskType = TaskType.safeParse(textOf(sent, 'task_type'));
    if (!taskType.success) return chooseType(context, authorized, {});
    const form = readNewTaskForm(sent, taskType.data);
    const [intent, searched] = [textOf(sent, intentField), textOf(sent, 'patient_search')];
    const room = { spareEntries: intent === intents.moreEntries ? spareEntries.more : spareEntries.usual };
    // Enter in the field of the search is meant for the search, wherever else the form is filled in already.
    // Somebody who was looked for is found first: the one who is chosen already may be somebody else.
    if (intent === intents.find || searched !== '') {
      const choice = await findPatients(access, searched, form.patient_id);
      const [found] = choice.patients.length === 1 ? choice.patients : [];
      const patient_id = choice.problem === null ? (found?.id ?? '') : form.patient_id;
      const errors = intent === '' ? whyNotSent(choice) : {};
      return show(context, authorized, { ...form, patient_id }, { formKey, choice, errors, ...room });
    }
    if (intent === intents.moreEntries) return show(context, authorized, form, { formKey, ...room });
    const ordered = await order(access, form, formKey);
    if (!ordered.done) return show(context, authorized, form, { formKey, errors: ordered.errors });
    return ordered.result === null
      ? show(context, authorized, form, { formKey: newFormKey(), errors: { [wholeForm]: usedFormProblem } })
      : context.redirect(afterwards(links.task(project.id, ordered.result), 'task-created'), 303);
  });

  async function begin(
    access: ProjectAccess,
    { type, patient_id = '', like }: NewTaskBeginning,
  ): Promise<NewTaskForm | null> {
    if (like !== undefined) return toNewTaskForm(await viewTaskInput(table, access, like));
    return type === undefined ? null : { ...emptyTaskForm(type), patient_id };
  }

  async function newestPatients(access: ProjectAccess, chosen: string): Promise<PatientChoice> {
    const page = await viewPatients(table, access, {
      limit: offeredPatients,
      cursor: null,
      openBudget: openAnswerBudget,
    });
    const isOffered = chosen === '' || page.patients.some(({ id }) => id === chosen);
    const others = isOffered ? [] : (await viewPatientNames(table, access, [chosen])).values();
    return { patients: [...others, ...page.patients], searched: '', isAll: true, problem: null };
  }

  /** Those who are called so; when nobody is, the newest patients as before. */
  async function findPatients(
    access: ProjectAccess,
    searched: string,
    chosen: string,
  ): Promise<PatientChoice> {
    const found = searched === '' ? null : await find(access, searched);
    if (found !== null && found.patients.length > 0) return { ...found, searched, problem: null };
    return {
      ...(await newestPatients(access, chosen)),
      searched,
      problem:
        searched === ''
          ? 'Enter a name, phone number or date of birth'
          : found?.isAll === false
            ? `None of the newest ${searchedAtMost} patients matches; older ones are found by their ID`
            : 'No such patient was found',
    };
  }

  async function find(
    access: ProjectAccess,
    searched: string,
  ): Promise<Pick<PatientChoice, 'patients' | 'isAll'> | null> {
    const found = await findInProject(table, access, searched);
    switch (found?.kind) {
      case undefined:
      case 'task':
        return null;
      case 'patient':
        return { patients: [...(await viewPatientNames(table, access, [found.id])).values()], isAll: true };
      case 'several':
        return found;
    }
  }

  /**
   * The identifier of the task that the form has made, now or before; null when it has made another one
   * before.
   */
  async function order(
    access: ProjectAccess,
    form: NewTaskForm,
    key: string,
  ): Promise<Outcome<string | null>> {
    const asked = toNewTaskBody(form, access.project.default_country);
    const body = projectTaskBodies[form.task_type].safeParse(asked.body);
    const errors = { ...(body.success ? {} : newTaskErrors(form, body.error)), ...asked.errors };
    if (!body.success || Object.keys(errors).length > 0) return { done: false, errors };
    try {
      await checkNewTask(body.data);
      checkSandboxPhone(access.project, hasSandboxPhone);
      return { done: true, result: await orderOnce(access, key, body.data) };
    } catch (error) {
      return { done: false, errors: refusalOf(error) };
    }
  }

  function orderOnce(access: ProjectAccess, key: string, body: ProjectTaskBody): Promise<string | null> {
    return makeOnce(table, { scope: access.project.id, key, route: path, body }, async (remember) => {
      const task = await createProjectTask(table, access, body, ({ id }) => remember({ id }));
      await enqueueDial(callQueue, task);
      return { id: task.id };
    });
  }
}

/** What is no value of a beginning is as if it were not there: only the pages' own links carry them. */
function beginningOf(context: DashboardContext): NewTaskBeginning {
  const type = TaskType.safeParse(context.req.query('type')).data;
  const [patient_id, like, form] = ['patient_id', 'like', 'form'].map(
    (name) => Uuid.safeParse(context.req.query(name)).data,
  );
  return {
    ...(type === undefined ? {} : { type }),
    ...(patient_id === undefined ? {} : { patient_id }),
    ...(like === undefined ? {} : { like }),
    ...(form === undefined ? {} : { form }),
  };
}

/** Why a form that was to make a task has only found patients. */
function whyNotSent({ patients, problem }: PatientChoice): FieldErrors {
  if (problem !== null) {
    return { patient_search: `${problem}. Leave this empty to keep the patient who is chosen` };
  }
  return {
    patient_id:
      patients.length === 1
        ? 'Make sure that this is the patient, and send the form again'
        : 'Choose among the patients who were found',
  };
}

/** Where the form shows what the service refuses it for. Throws what has a page of its own. */
function refusalOf(error: unknown): FieldErrors {
  if (!(error instanceof ServiceError)) throw error;
  const { code, detail } = error;
  switch (code) {
    case 'not_found':
      return { patient_id: 'Choose a patient whom this project has' };
    case 'invalid_request':
      return detail.startsWith('phone_number ')
        ? { phone_number: detail.replace('phone_number', 'The number to call') }
        : { further: detail };
    case 'forbidden':
    case 'task_type_not_enabled':
    case 'conflict':
      return { [wholeForm]: detail };
    default:
      throw error;
  }
}
