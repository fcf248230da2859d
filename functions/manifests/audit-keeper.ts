import * as z from 'zod/mini';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { AUDIT_BUCKET, TABLE_NAME } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'audit-keeper',
  description: 'Seals audit entries, copies them, and files them under the patients they concern',
  memoryMb: 512,
  timeoutSeconds: 60,
  failureMeans: 'The audit log is complete, but patient access appears late, and entries are sealed late.',
  environment: z.object({ TABLE_NAME, AUDIT_BUCKET }),
  trigger: {
    kind: 'stream',
    // New entries only: later changes are not sealed.
    filters: [{ eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['audit-entry'] } } } }],
    batchSize: 100,
    batchWindowSeconds: 5,
    retryAttempts: 10,
    deadLettersMean: 'Audit entries were never sealed, and the pages on patient access lack them.',
  },
  uses: ['table.read', 'table.sealAudit', 'auditBucket.write'],
} as const satisfies FunctionManifest;
