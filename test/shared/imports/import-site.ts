import { authorizeProject, type ProjectAccess } from '#shared/admin/authorize-project.ts';
import { keepImport, readImport, startImport } from '#shared/admin/imports.ts';
import { checkImport } from '#shared/dashboard/forms/import-check.ts';
import { problemText } from '#shared/dashboard/forms/import-csv.ts';
import { readImportFile } from '#shared/dashboard/forms/import-file.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Import, ImportRow } from '#shared/domain/import.ts';
import type { ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { carryOutImport } from '#shared/imports/carry-out-import.ts';
import { writeWithDataKey } from '#shared/projects/data-key.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { listProjectPatients } from '#shared/table/patient.ts';
import { putProject } from '#shared/table/project.ts';
import { listTaskRows } from '#shared/table/task-rows.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../support/embedded-queues.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { everyTask } from '../../support/every-task.ts';
import { importHeadings, importRow } from '../../support/import-rows.ts';
import { localKms } from '../../support/local-kms.ts';
import { sampleProject, sampleTime } from '../../support/sample-tasks.ts';

/** Where a file is uploaded: a project with a person who may create tasks in it. */
export interface ImportSite {
  readonly table: Table;
  readonly access: ProjectAccess;
  readonly email: string;
  readonly queue: { url: string; client: EmbeddedQueues['sqs'] };
}

/** The servers that a test file's sites share. */
export interface ImportSites {
  readonly queues: EmbeddedQueues;
  newSite(): Promise<ImportSite>;
  stop(): Promise<unknown>;
}

export async function startImportSites(): Promise<ImportSites> {
  const [{ table, keys, stop }, queues] = await Promise.all([startEmbeddedTable(), startEmbeddedQueues()]);
  const keyMaker = localKms(keys).keyMaker(table.name);
  const queue = { url: queues.createQueue('calls'), client: queues.sqs };
  return {
    queues,
    newSite: () => newImportSite({ table, keys: keyMaker }, queue),
    stop: () => Promise.all([stop(), queues.stop()]),
  };
}

async function newImportSite(
  { table, keys }: { readonly table: Table; readonly keys: ProjectKeyMaker },
  queue: ImportSite['queue'],
): Promise<ImportSite> {
  const project = sampleProject({ id: uuidv7() });
  const email = `staff.${project.id}@clinic.example.com`;
  const member = { project_id: project.id, email, created_at: sampleTime, updated_at: sampleTime };
  await writeWithDataKey({ table, keys }, project.id, [
    putProject(table, project),
    addMemberItem(table, { ...member, role: 'staff' }),
  ]);
  const caller = { person: { subject: 'staff', email, name: null }, requestId: 'request-1' };
  const access = await authorizeProject(table, caller, project.id, 'tasks.write');
  return { table, access, email, queue };
}

export const clinic = '(202) 555-0100';
export const visit = importRow(0, clinic).slice(5);

export function csv(rows: readonly (readonly string[])[], names: readonly string[] = importHeadings): string {
  return [names, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n');
}

/** Invented people, all different. */
export function people(count: number): string[][] {
  return Array.from({ length: count }, (_, at) => importRow(at, clinic));
}

export async function upload(site: ImportSite, text: string): Promise<Import> {
  return keepImport(
    site.table,
    site.access,
    await checkImport(site.table, site.access, readImportFile(text), 'day.csv'),
  );
}

export function servicesOf({ table, queue }: ImportSite, now: () => Date = () => new Date()) {
  return {
    table,
    queue,
    // The sandbox phone is deployed, but nothing is dialed here.
    carrier: async () => ({}) as never,
    now,
  };
}

export async function carryOut(site: ImportSite, one: Import): Promise<Import> {
  await startImport(site.table, site.access, one);
  return finish(site, one);
}

/** As many messages as the machine needs: each works for a few seconds. */
export async function finish(site: ImportSite, one: Import): Promise<Import> {
  for (;;) {
    await carryOutImport(servicesOf(site), one);
    const now = await readImport(site.table, site.access, one.id);
    if (now.status !== 'running') return now;
  }
}

export async function made(site: ImportSite): Promise<{ patients: number; tasks: number }> {
  const page = { limit: 500, before: null };
  const [patients, tasks] = await Promise.all([
    listProjectPatients(site.table, site.access.project.id, page),
    listTaskRows(site.table, site.access.project.id, everyTask, page),
  ]);
  return { patients: patients.items.length, tasks: tasks.items.length };
}

export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('there is no such row');
  return value;
}

export const problems = (rows: readonly ImportRow[]) =>
  rows.filter((row) => problemText(row) !== '').map((row) => `${row.number} ${problemText(row)}`);
