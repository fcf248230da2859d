import type { Hono } from 'hono';
import {
  addOptOutOf,
  confirmOptOutOf,
  importOptOuts,
  liftOptOutOf,
  NewOptOut,
  OptOutDecision,
  OptOutImport,
  readOptOuts,
} from '#shared/admin/opt-outs.ts';
import { PhoneNumber } from '#shared/domain/values.ts';
import { toE164 } from '#shared/domain/written-phone-number.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { type FieldErrors, type FormProblems, formStatus, textOf } from '../forms/form-values.ts';
import { DoNotCallPage, type DoNotCallValues, emptyValues } from '../pages/do-not-call-page.tsx';
import {
  type AuthorizedProject,
  authorizeNamedProject,
  type DashboardContext,
  pageNumberOf,
} from './request-context.ts';
import { settingsSection } from './settings-section.ts';
import { submitForm } from './submit-form.ts';

const path = '/projects/:project_id/do-not-call';

const addProblems: FormProblems = {
  sentences: {
    phone_number: 'Enter a phone number, such as (202) 555-0143',
    reason: 'Enter a reason of up to 500 characters',
  },
  refusedAt: 'phone_number',
};
const importProblems: FormProblems = {
  fieldOf: ([member]) => (member === 'reason' ? 'import_reason' : 'csv'),
  sentences: {
    csv: 'Paste at most 200,000 characters, with one number per line',
    import_reason: 'Enter a reason of up to 500 characters',
  },
  refusedAt: 'csv',
};
const decisionProblems: FormProblems = {
  fieldOf: () => 'form',
  sentences: { form: 'Enter a reason of up to 500 characters' },
  refusedAt: 'form',
};

/** Project Settings > Do Not Call. Numbers stay out of URLs. */
export function addDoNotCallPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  const show = async (
    context: DashboardContext,
    { access, view }: AuthorizedProject,
    { values = emptyValues, errors = {} }: { values?: DoNotCallValues; errors?: FieldErrors } = {},
  ) => {
    const { opt_outs } = await readOptOuts(table, access);
    return context.html(
      <DoNotCallPage
        view={view}
        entries={opt_outs}
        page={pageNumberOf(context)}
        values={values}
        errors={errors}
        done={context.req.query('done')}
      />,
      formStatus(errors),
    );
  };
  const { enterToChange, leave } = settingsSection(services, 'opt-outs.change', links.doNotCall);

  app.get(path, async (context) =>
    show(context, await authorizeNamedProject(context, services, 'opt-outs.read')),
  );

  app.post(path, async (context) => {
    const entered = await enterToChange(context);
    const form = await context.req.formData();
    const values = {
      ...emptyValues,
      phone_number: textOf(form, 'phone_number'),
      reason: textOf(form, 'reason'),
    };
    const { default_country } = entered.project;
    const sent = { phone_number: toE164(values.phone_number, default_country), reason: values.reason };
    const added = await submitForm(NewOptOut, sent, addProblems, (body) =>
      addOptOutOf(table, entered.access, body),
    );
    return added.done
      ? leave(context, entered, added.result.added === 1 ? 'opt-out-added' : 'opt-out-already')
      : show(context, entered, { values, errors: added.errors });
  });

  app.post(`${path}/import`, async (context) => {
    const entered = await enterToChange(context);
    const form = await context.req.formData();
    const values = { ...emptyValues, csv: textOf(form, 'csv'), import_reason: textOf(form, 'import_reason') };
    const sent = { csv: inE164(values.csv, entered.project.default_country), reason: values.import_reason };
    const added =
      values.csv === ''
        ? ({ done: false, errors: { csv: 'Choose a file or paste at least one number' } } as const)
        : await submitForm(OptOutImport, sent, importProblems, (body) =>
            importOptOuts(table, entered.access, body),
          );
    return added.done
      ? leave(context, entered, 'opt-outs-imported')
      : show(context, entered, { values, errors: added.errors });
  });

  for (const [name, decide, done] of [
    ['lift', liftOptOutOf, 'opt-out-lifted'],
    ['confirm', confirmOptOutOf, 'opt-out-confirmed'],
  ] as const) {
    app.post(`${path}/${name}`, async (context) => {
      const entered = await enterToChange(context);
      const form = await context.req.formData();
      const number = textOf(form, 'phone_number');
      const decided = await submitForm(
        OptOutDecision,
        { reason: textOf(form, 'reason') },
        decisionProblems,
        (decision) => decide(table, entered.access, number, decision),
      );
      return decided.done
        ? leave(context, entered, done)
        : show(context, entered, { errors: decided.errors });
    });
  }
}

/** Converts numbers in the first column from their written form; leaves other text for the import to name its line. */
function inE164(csv: string, country: string): string {
  return csv
    .split(/\r?\n/)
    .map((line) => {
      const [, cell = '', rest = ''] = /^("[^"]*"|[^,;\t]*)(.*)$/.exec(line) ?? [];
      const number = PhoneNumber.safeParse(toE164(cell.replaceAll('"', ''), country));
      return number.success ? `${number.data}${rest}` : line;
    })
    .join('\n');
}
