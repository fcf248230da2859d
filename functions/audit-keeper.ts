import { bucketAuditCopies } from '#shared/audit/audit-copies.ts';
import { keepEntries } from '#shared/audit/keep-entries.ts';
import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { streamBatchWorker } from '#shared/triggers/stream.ts';
import { manifest } from './manifests/audit-keeper.ts';

const env = readEnvironment(manifest.environment);
const services = { table: openTable(env.TABLE_NAME), copies: bucketAuditCopies(env.AUDIT_BUCKET) };

/** Seals audit entries, copies them, and files them under the patients they concern. */
export const handler = streamBatchWorker((records) =>
  keepEntries(
    services,
    records.flatMap(({ newItem }) => (newItem === null ? [] : [newItem])),
  ),
);
