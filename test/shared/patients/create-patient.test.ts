import { expect, test, vi } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { getPatient } from '#shared/table/patient.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { losingFirstAnswer, startTableProxy } from '../../support/table-proxy.ts';

const embedded = await forThisFile(startEmbeddedTable());

test('a patient is created although the response to the write is lost', async () => {
  const proxy = await startTableProxy(embedded, losingFirstAnswer());
  const projectId = uuidv7();
  const { id } = await createPatient(proxy.table, {
    projectId,
    newPatient: {
      project_id: projectId,
      first_name: 'Ada',
      last_name: 'Example',
      phone_number: '+12025550142',
      date_of_birth: '1980-02-29',
    },
  });
  expect(proxy.operations).toEqual(['GetItem', 'PutItem', 'PutItem']);
  expect(await getPatient(embedded.table, id)).toMatchObject({ id, project_id: projectId });
  await proxy.stop();
});

test('a patient is read consistently, right after its creation', async () => {
  const send = vi.spyOn(embedded.table.client, 'send');
  expect(await getPatient(embedded.table, uuidv7())).toBeNull();
  const [read] = send.mock.lastCall ?? [];
  expect(read?.input).toMatchObject({ ConsistentRead: true });
  send.mockRestore();
});
