import type { Hono } from 'hono';
import { readDestinations, removeDestinationOf, saveDestinationOf } from '#shared/admin/destinations.ts';
import { DestinationBody } from '#shared/directory/change-directory.ts';
import type { DirectoryEntry } from '#shared/domain/directory-entry.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { PhoneNumber } from '#shared/domain/values.ts';
import { phoneNumberText, toE164 } from '#shared/domain/written-phone-number.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import {
  type DestinationForm,
  destinationProblems,
  emptyDestinationForm,
  readDestinationForm,
  toDestinationBody,
  toDestinationForm,
} from '../forms/destination-form.ts';
import { type FieldErrors, formStatus } from '../forms/form-values.ts';
import { afterwards, wholeForm } from '../layout/notices.tsx';
import { DestinationFormPage } from '../pages/destination-form-page.tsx';
import { DestinationsPage } from '../pages/destinations-page.tsx';
import {
  type AuthorizedProject,
  attempt,
  authorizeNamedProject,
  type DashboardContext,
  pageNumberOf,
  parameterOf,
} from './request-context.ts';
import { submitForm } from './submit-form.ts';

const path = '/projects/:project_id/destinations';
const changedMeanwhile =
  'Someone changed this destination after you opened it. Save again to replace their changes with yours';

/** Project Settings > Destinations: the project's own directory, beside the operator's. */
export function addDestinationPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links } = services;

  const list = async (
    context: DashboardContext,
    { access, view }: AuthorizedProject,
    errors: FieldErrors = {},
  ) => {
    const listed = await readDestinations(table, access);
    return context.html(
      <DestinationsPage
        view={view}
        {...listed}
        page={pageNumberOf(context)}
        errors={errors}
        done={context.req.query('done')}
      />,
      formStatus(errors),
    );
  };
  const edit = (
    context: DashboardContext,
    { view, project }: AuthorizedProject,
    values: DestinationForm,
    errors: FieldErrors = {},
  ) =>
    context.html(
      <DestinationFormPage
        view={view}
        values={values}
        errors={errors}
        action={
          values.read_at === ''
            ? links.newDestination(project.id)
            : links.destination(project.id, `+${parameterOf(context, 'digits')}`)
        }
      />,
      formStatus(errors),
    );
  const enterToChange = (context: DashboardContext) =>
    authorizeNamedProject(context, services, 'destinations.change');
  /** The entry in the path. Throws `not_found`. */
  const entryOf = async (
    context: DashboardContext,
    { access }: AuthorizedProject,
  ): Promise<DirectoryEntry> => {
    const number = `+${parameterOf(context, 'digits')}`;
    const { destinations } = await readDestinations(table, access);
    const entry = destinations.find(({ phone_number }) => phone_number === number);
    if (entry === undefined) throw new ServiceError('not_found', 'Destination not found');
    return entry;
  };

  app.get(path, async (context) =>
    list(context, await authorizeNamedProject(context, services, 'destinations.read')),
  );

  app.get('/projects/:project_id/new-destination', async (context) => {
    const entered = await enterToChange(context);
    return edit(context, entered, emptyDestinationForm(entered.project.time_zone));
  });

  app.post('/projects/:project_id/new-destination', async (context) => {
    const entered = await enterToChange(context);
    const values = readDestinationForm(await context.req.formData());
    const number = PhoneNumber.safeParse(toE164(values.phone_number, entered.project.default_country));
    if (!number.success) {
      // Other problems are reported at the same time.
      const checked = await submitForm(
        DestinationBody,
        toDestinationBody(values, entered.project.default_country),
        destinationProblems,
        async () => null,
      );
      return edit(context, entered, values, {
        ...(checked.done ? {} : checked.errors),
        phone_number: destinationProblems.sentences.phone_number ?? '',
      });
    }
    const { destinations } = await readDestinations(table, entered.access);
    if (destinations.some(({ phone_number }) => phone_number === number.data)) {
      return edit(context, entered, values, {
        phone_number: 'A destination with this number already exists',
      });
    }
    return save(context, entered, number.data, values);
  });

  app.get(`${path}/:digits`, async (context) => {
    const entered = await enterToChange(context);
    return edit(context, entered, toDestinationForm(await entryOf(context, entered)));
  });

  app.post(`${path}/:digits`, async (context) => {
    const entered = await enterToChange(context);
    const entry = await entryOf(context, entered);
    const sent = readDestinationForm(await context.req.formData());
    const values = { ...sent, phone_number: phoneNumberText(entry.phone_number) };
    // Sent once more, it replaces others' changes.
    return values.read_at === entry.updated_at
      ? save(context, entered, entry.phone_number, values)
      : edit(context, entered, { ...values, read_at: entry.updated_at }, { [wholeForm]: changedMeanwhile });
  });

  app.post(`${path}/:digits/remove`, async (context) => {
    const entered = await enterToChange(context);
    const removed = await attempt(() =>
      removeDestinationOf(table, entered.access, `+${parameterOf(context, 'digits')}`),
    );
    return removed.done
      ? context.redirect(afterwards(links.destinations(entered.project.id), 'destination-removed'), 303)
      : list(context, entered, removed.errors);
  });

  async function save(
    context: DashboardContext,
    entered: AuthorizedProject,
    number: string,
    values: DestinationForm,
  ) {
    const { access, project } = entered;
    const sent = toDestinationBody(values, project.default_country);
    const saved = await submitForm(DestinationBody, sent, destinationProblems, (body) =>
      saveDestinationOf(table, access, number, body, { readAt: values.read_at || null }),
    );
    return saved.done
      ? context.redirect(afterwards(links.destinations(project.id), 'destination-saved'), 303)
      : edit(context, entered, values, saved.errors);
  }
}
