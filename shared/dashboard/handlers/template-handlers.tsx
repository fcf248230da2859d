import type { Hono } from 'hono';
import {
  QuestionTemplateBody,
  readQuestionTemplate,
  readQuestionTemplates,
  removeQuestionTemplate,
  saveQuestionTemplate,
} from '#shared/admin/question-templates.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { type FieldErrors, type FormProblems, formStatus, textOf } from '../forms/form-values.ts';
import { templateSentences } from '../forms/template-sentences.ts';
import { wholeForm } from '../layout/notices.tsx';
import { type TemplateForm, TemplatePage, TemplatesPage } from '../pages/templates-page.tsx';
import {
  type AuthorizedProject,
  attempt,
  authorizeNamedProject,
  type DashboardContext,
  identifierOf,
} from './request-context.ts';
import { settingsSection } from './settings-section.ts';
import { submitForm } from './submit-form.ts';

const path = '/projects/:project_id/templates';
const emptyForm: TemplateForm = { name: '', questions: '' };
const problems: FormProblems = {
  fieldOf: ([member]) => String(member),
  sentences: templateSentences,
  refusedAt: 'name',
};
const changedMeanwhile =
  'Someone changed this template after you opened it. Save again to replace their changes with yours';

/** Project Settings > Templates: reusable questions. */
export function addTemplatePages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  const show = async (
    context: DashboardContext,
    { access, view }: AuthorizedProject,
    { values = emptyForm, errors = {} }: { values?: TemplateForm; errors?: FieldErrors } = {},
  ) =>
    context.html(
      <TemplatesPage
        view={view}
        templates={await readQuestionTemplates(table, access)}
        values={values}
        errors={errors}
        done={context.req.query('done')}
      />,
      formStatus(errors),
    );
  const { enterToChange, leave } = settingsSection(services, 'templates.change', links.templates);

  app.get(path, async (context) =>
    show(context, await authorizeNamedProject(context, services, 'templates.read')),
  );

  app.post(path, async (context) => {
    const entered = await enterToChange(context);
    const values = readTemplateForm(await context.req.formData());
    const saved = await submitForm(QuestionTemplateBody, bodyOf(values), problems, (body) =>
      saveQuestionTemplate(table, entered.access, body, null),
    );
    return saved.done
      ? leave(context, entered, 'template-saved')
      : show(context, entered, { values, errors: saved.errors });
  });

  app.get(`${path}/:template_id`, async (context) => {
    const { access, view } = await enterToChange(context);
    const template = await readQuestionTemplate(table, access, identifierOf(context, 'template_id'));
    const values = { name: template.name, questions: template.questions.join('\n') };
    return context.html(<TemplatePage view={view} template={template} values={values} errors={{}} />);
  });

  app.post(`${path}/:template_id`, async (context) => {
    const entered = await enterToChange(context);
    const form = await context.req.formData();
    const template = await readQuestionTemplate(table, entered.access, identifierOf(context, 'template_id'));
    const values = readTemplateForm(form);
    const saved =
      textOf(form, 'read_at') === template.updated_at
        ? await submitForm(QuestionTemplateBody, bodyOf(values), problems, (body) =>
            saveQuestionTemplate(table, entered.access, body, template),
          )
        : ({ done: false, errors: { [wholeForm]: changedMeanwhile } } as const);
    return saved.done
      ? leave(context, entered, 'template-saved')
      : context.html(
          <TemplatePage view={entered.view} template={template} values={values} errors={saved.errors} />,
          400,
        );
  });

  app.post(`${path}/:template_id/remove`, async (context) => {
    const entered = await enterToChange(context);
    const id = identifierOf(context, 'template_id');
    const removed = await attempt(() => removeQuestionTemplate(table, entered.access, id));
    return removed.done
      ? leave(context, entered, 'template-removed')
      : show(context, entered, { errors: removed.errors });
  });
}

function readTemplateForm(form: FormData): TemplateForm {
  return { name: textOf(form, 'name'), questions: textOf(form, 'questions').replaceAll('\r\n', '\n') };
}

function bodyOf({ name, questions: text }: TemplateForm): QuestionTemplateBody {
  const lines = text.split('\n').map((line) => line.trim());
  return { name, questions: lines.filter((line) => line !== '') };
}
