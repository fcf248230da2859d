import type { Hono } from 'hono';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { readDestinations } from '#shared/admin/destinations.ts';
import { isOptedOut, onDoNotCallList } from '#shared/admin/opt-outs.ts';
import {
  QuestionTemplateBody,
  readQuestionTemplates,
  saveQuestionTemplate,
} from '#shared/admin/question-templates.ts';
import {
  createProjectTask,
  type ProjectTaskBody,
  projectTaskBodies,
  viewTaskInput,
} from '#shared/admin/tasks.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { questionsAtMost } from '#shared/domain/task-data.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import { checkNewTask } from '#shared/tasks/check-new-task.ts';
import { checkSandboxPhone } from '#shared/tasks/check-sandbox-phone.ts';
import { enqueueDial } from '#shared/tasks/enqueue-dial.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { makeOnce, newFormKey, readFormKey, usedFormProblem } from '../forms/form-key.ts';
import { type FieldErrors, type FormProblems, formStatus, textOf } from '../forms/form-values.ts';
import { newTaskErrors, toNewTaskBody } from '../forms/new-task-body.ts';
import {
  emptyTaskForm,
  intentField,
  intents,
  type NewTaskForm,
  questionsOf,
  readNewTaskForm,
  templateField,
  withQuestions,
} from '../forms/new-task-form.ts';
import { toNewTaskForm } from '../forms/repeated-task-form.ts';
import { templateSentences } from '../forms/template-sentences.ts';
import { afterwards, wholeForm } from '../layout/notices.tsx';
import type { NewTaskBeginning } from '../links.ts';
import type { OfferedDestination } from '../pages/call-fields.tsx';
import { NewTaskPage, type PatientChoice } from '../pages/new-task-page.tsx';
import { TaskTypePage } from '../pages/task-type-page.tsx';
import { findPatients, newestPatients, whyNotSent } from './patient-choice.ts';
import {
  type AuthorizedProject,
  authorizeNamedProject,
  type DashboardContext,
  type Outcome,
} from './request-context.ts';
import { submitForm } from './submit-form.ts';

const path = '/projects/:project_id/new-task';
/** The most destinations offered, which keeps the page small; any other number can be typed. */
const offeredDestinations = 200;
const firstQuestion = 'task_data.questions_to_ask.0.question';
const spareEntries = { usual: 2, more: 5 };

const templateProblems: FormProblems = {
  fieldOf: ([member]) => (member === 'name' ? 'template_name' : firstQuestion),
  sentences: { template_name: templateSentences.name, [firstQuestion]: templateSentences.questions },
  refusedAt: 'template_name',
};

interface Shown {
  readonly formKey: string;
  readonly choice?: PatientChoice;
  readonly savedTemplate?: string;
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
    { formKey, choice, savedTemplate, spareEntries: spare = spareEntries.usual, errors = {} }: Shown,
  ) => {
    const [patients, destinations, templates] = await Promise.all([
      choice ?? newestPatients(table, access, form.patient_id),
      offered(access),
      form.task_type === 'CUSTOM_TASK' ? readQuestionTemplates(table, access) : [],
    ]);
    return context.html(
      <NewTaskPage
        view={view}
        form={form}
        formKey={formKey}
        choice={patients}
        destinations={destinations}
        templates={templates}
        savedTemplate={savedTemplate ?? null}
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
    // Returning to the form after sending it keeps the key.
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
    // Enter in the search field searches, even if the form is filled in. A searched patient takes precedence over one
    // already chosen, who may be someone else.
    if (intent === intents.find || searched !== '') {
      const choice = await findPatients(table, access, searched, form.patient_id);
      const [found] = choice.patients.length === 1 ? choice.patients : [];
      const patient_id = choice.problem === null ? (found?.id ?? '') : form.patient_id;
      const errors = intent === '' ? whyNotSent(choice) : {};
      return show(context, authorized, { ...form, patient_id }, { formKey, choice, errors, ...room });
    }
    if (intent === intents.useTemplate) {
      const { errors, ...used } = await useTemplate(access, form, textOf(sent, templateField));
      return show(context, authorized, used.form, { formKey, errors, ...room });
    }
    // Enter in the name field saves the template.
    if (intent === intents.saveTemplate || (intent === intents.enter && form.template_name !== '')) {
      const saved = await saveTemplate(access, form);
      return saved.done
        ? show(
            context,
            authorized,
            { ...form, template_name: '' },
            { formKey, savedTemplate: form.template_name, ...room },
          )
        : show(context, authorized, form, { formKey, errors: saved.errors, ...room });
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

  /** Callable single-number lines, the project's own before the operator's. */
  async function offered(access: ProjectAccess): Promise<readonly OfferedDestination[]> {
    const { destinations, operator } = await readDestinations(table, access);
    const own = new Set(destinations.map(({ phone_number }) => phone_number));
    return [destinations, operator.filter(({ phone_number }) => !own.has(phone_number))]
      .flatMap((entries) => entries.toSorted((one, other) => one.name.localeCompare(other.name)))
      .filter(({ last_phone_number }) => last_phone_number === null)
      .slice(0, offeredDestinations);
  }

  async function useTemplate(
    access: ProjectAccess,
    form: NewTaskForm,
    id: string,
  ): Promise<{ readonly form: NewTaskForm; readonly errors: FieldErrors }> {
    const template = (await readQuestionTemplates(table, access)).find((one) => one.id === id);
    if (template === undefined) return { form, errors: { [templateField]: 'Choose a template' } };
    const longer = withQuestions(form, template.questions);
    const count = questionsOf(longer).length;
    if (count <= questionsAtMost) return { form: longer, errors: {} };
    const problem = `A task can have up to ${questionsAtMost} questions; with this template it would have ${count}`;
    return { form, errors: { [templateField]: problem } };
  }

  function saveTemplate(access: ProjectAccess, form: NewTaskForm): Promise<Outcome<unknown>> {
    const sent = { name: form.template_name, questions: questionsOf(form) };
    return submitForm(QuestionTemplateBody, sent, templateProblems, (body) =>
      saveQuestionTemplate(table, access, body, null),
    );
  }

  /** The ID of the task that the form has created, now or before; null if it had created another one. */
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
      if (await isOptedOut(table, access, body.data.phone_number)) {
        return { done: false, errors: { phone_number: `The number to call ${onDoNotCallList}` } };
      }
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

/** Ignores invalid prefill values: only the pages' own links set them. */
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

/** The field that shows why the service refused the form. Throws errors that have their own page. */
function refusalOf(error: unknown): FieldErrors {
  if (!(error instanceof ServiceError)) throw error;
  const { code, detail } = error;
  switch (code) {
    case 'not_found':
      return { patient_id: 'Choose a patient of this project' };
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
