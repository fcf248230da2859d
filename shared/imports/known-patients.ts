import { samePersonKey } from '#shared/domain/names.ts';
import type { Table } from '#shared/table/client.ts';
import { findExternalIds } from '#shared/table/external-id.ts';
import { listPatientEntries, type PatientEntry } from '#shared/table/patient.ts';

/** The most patients, newest first, compared by name and date of birth, to bound the cost of a check. */
export const comparedAtMost = 20_000;
const readAtOnce = 1000;

/** Finds the patients that rows of a file name. */
export interface KnownPatients {
  /** Patient identifiers by external identifier. */
  readonly byExternalId: ReadonlyMap<string, string>;
  /** Identifiers of patients with the `samePersonKey` whose external identifier matches or is empty. */
  samePerson(key: string, externalId: string): readonly string[];
}

export async function readKnownPatients(
  table: Table,
  projectId: string,
  externalIds: readonly string[],
): Promise<KnownPatients> {
  const names = externalIds.map((externalId) => ({ projectId, kind: 'PATIENT' as const, externalId }));
  const [byExternalId, byPerson] = await Promise.all([
    findExternalIds(table, names),
    readByPerson(table, projectId),
  ]);
  return {
    byExternalId,
    samePerson: (key, externalId) =>
      (byPerson.get(key) ?? []).flatMap(({ id, external_id }) =>
        externalId === '' || external_id === undefined || external_id === externalId ? [id] : [],
      ),
  };
}

async function readByPerson(table: Table, projectId: string): Promise<ReadonlyMap<string, PatientEntry[]>> {
  const byPerson = new Map<string, PatientEntry[]>();
  let before: string | null = null;
  // Counted in pages, because pages of large items are short.
  for (let pages = 0; pages < comparedAtMost / readAtOnce; pages += 1) {
    const page: Awaited<ReturnType<typeof listPatientEntries>> = await listPatientEntries(table, projectId, {
      limit: readAtOnce,
      before,
    });
    for (const patient of page.items) {
      const key = samePersonKey(patient);
      byPerson.set(key, [...(byPerson.get(key) ?? []), patient]);
    }
    before = page.next;
    if (before === null) break;
  }
  return byPerson;
}
