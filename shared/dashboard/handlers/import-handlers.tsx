import type { Hono } from 'hono';
import {
  exportImportRows,
  isWrong,
  keepImport,
  readFirstPatients,
  readImport,
  readImports,
  readWrongRows,
  startImport,
  stopImport,
} from '#shared/admin/imports.ts';
import { importMessage } from '#shared/calls/call-message.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { type Import, importLimits } from '#shared/domain/import.ts';
import { findGrantProblem } from '#shared/domain/live-bounds.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import { enqueueWork } from '#shared/tasks/enqueue-dial.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { csvText } from '../forms/csv.ts';
import { type FieldErrors, formStatus } from '../forms/form-values.ts';
import { checkImport } from '../forms/import-check.ts';
import { templateColumns } from '../forms/import-columns.ts';
import { importRowsCsv } from '../forms/import-csv.ts';
import { readImportFile } from '../forms/import-file.ts';
import { afterwards } from '../layout/notices.tsx';
import { ImportPage, patientsShown, problemsShown } from '../pages/import-page.tsx';
import { ImportsPage } from '../pages/imports-page.tsx';
import {
  type AuthorizedProject,
  attempt,
  authorizeNamedProject,
  type DashboardContext,
  identifierOf,
} from './request-context.ts';

const path = '/projects/:project_id/imports';
const importPath = `${path}/:import_id`;

/** Whether the path takes a file upload, whose body may be larger than that of other forms. */
export function takesImport(requestPath: string): boolean {
  return /^\/projects\/[^/]+\/imports$/.test(requestPath);
}

/** Imports: upload, check, run. No URL contains anything from a file. */
export function addImportPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, callQueue } = services;
  const enter = (context: DashboardContext) => authorizeNamedProject(context, services, 'tasks.write');
  const importOf = (context: DashboardContext, { access }: AuthorizedProject) =>
    readImport(table, access, identifierOf(context, 'import_id'));

  const showUpload = async (
    context: DashboardContext,
    { access, view, project }: AuthorizedProject,
    errors: FieldErrors = {},
  ) => {
    const imports = await readImports(table, access);
    return context.html(
      <ImportsPage view={view} imports={imports} types={project.enabled_task_types} errors={errors} />,
      formStatus(errors),
    );
  };

  app.get(path, async (context) => showUpload(context, await enter(context)));

  app.get('/projects/:project_id/import-template', async (context) => {
    await enter(context);
    const type = TaskType.safeParse(context.req.query('type')).data ?? null;
    const headings = templateColumns(type).map(({ heading }) => heading);
    return csvAnswer(context, csvText([headings]), `import-${type?.toLowerCase() ?? 'patients'}.csv`);
  });

  app.post(path, async (context) => {
    const entered = await enter(context);
    const file = (await context.req.formData()).get('file');
    if (!(file instanceof File) || file.size === 0) {
      return showUpload(context, entered, { file: 'Choose a CSV file' });
    }
    if (file.size > importLimits.fileBytes) {
      return showUpload(context, entered, { file: 'The file is larger than 3 MB; split it into several' });
    }
    const kept = await attempt(async () => {
      const grantProblem = findGrantProblem(entered.project);
      if (grantProblem !== null) throw new ServiceError('conflict', grantProblem.replace(/\.$/, ''));
      const read = readImportFile(await file.text());
      return keepImport(table, entered.access, await checkImport(table, entered.access, read, file.name));
    }, 'file');
    return kept.done
      ? context.redirect(links.import(entered.project.id, kept.result.id), 303)
      : showUpload(context, entered, kept.errors);
  });

  const show = async (context: DashboardContext, entered: AuthorizedProject, errors: FieldErrors = {}) => {
    const one = await importOf(context, entered);
    // While the import runs, the page reloads every few seconds without reading rows.
    const wrongRows = one.status === 'running' ? [] : await readWrongRows(table, one, problemsShown);
    return context.html(
      <ImportPage
        view={entered.view}
        one={one}
        firstPatients={await readFirstPatients(table, one, patientsShown)}
        wrongRows={wrongRows}
        version={versionOf(one)}
        done={context.req.query('done')}
        errors={errors}
      />,
      formStatus(errors),
    );
  };

  app.get(importPath, async (context) => show(context, await enter(context)));

  app.get(`${importPath}/version`, async (context) =>
    context.text(versionOf(await importOf(context, await enter(context)))),
  );

  app.get(`${importPath}/rows-file`, async (context) => {
    const entered = await enter(context);
    const one = await importOf(context, entered);
    const isAll = context.req.query('rows') === 'all';
    const rows = await exportImportRows(table, entered.access, one, isAll ? undefined : isWrong);
    const text = isAll ? importRowsCsv.results(rows) : importRowsCsv.wrong(one, rows);
    return csvAnswer(context, text, isAll ? 'import-results.csv' : 'import-rows-to-fix.csv');
  });

  app.post(`${importPath}/start`, async (context) => {
    const entered = await enter(context);
    const one = await importOf(context, entered);
    const started = await attempt(() => startImport(table, entered.access, one));
    if (started.done) await enqueueWork(callQueue, importMessage(one));
    // A second click shows the import that is already running.
    return context.redirect(links.import(entered.project.id, one.id), 303);
  });

  app.post(`${importPath}/stop`, async (context) => {
    const entered = await enter(context);
    const one = await importOf(context, entered);
    const stopped = await attempt(() => stopImport(table, entered.access, one));
    const address = links.import(entered.project.id, one.id);
    return context.redirect(stopped.done ? afterwards(address, 'import-stopped') : address, 303);
  });
}

function versionOf({ status, rows_done }: Import): string {
  return `${status}-${rows_done}`;
}

function csvAnswer(context: DashboardContext, text: string, name: string) {
  return context.body(text, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
  });
}
