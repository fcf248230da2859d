import { vi } from 'vitest';
import type { ApiUnderTest } from '../../support/api-under-test.ts';
import { startHandlerApi } from '../../support/handler-api.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { accessSuite } from './access.ts';
import { authenticationSuite } from './authentication.ts';
import { batchSuite } from './batches.ts';
import { callSuite } from './calls.ts';
import { cancelSuite } from './cancel.ts';
import { clientDataSuite } from './client-data.ts';
import { erasureSuite } from './erasures.ts';
import { idempotencySuite } from './idempotency.ts';
import { keyLimitSuite } from './key-limits.ts';
import { listSuite } from './lists.ts';
import { patientSuite } from './patients.ts';
import { requestSuite } from './requests.ts';
import { taskSuite } from './tasks.ts';
import { transcriptAndRecordingSuite } from './transcripts-and-recordings.ts';

// Fifty requests at once on a busy machine starve the event loop for longer than a function waits for DynamoDB; the
// limits have their own tests.
vi.mock(import('#shared/aws/client-limits.ts'), async (original) => {
  const real = await original();
  const { maxAttempts, requestHandler } = real.clientLimits(60_000);
  const generous = { maxAttempts, requestHandler: { ...requestHandler, connectionTimeout: 60_000 } };
  return { ...real, clientLimits: () => generous, failFastLimits: () => generous };
});

const started = await forThisFile(startHandlerApi());

const api = (): ApiUnderTest => started;
authenticationSuite(api);
requestSuite(api);
patientSuite(api);
clientDataSuite(api);
taskSuite(api);
batchSuite(api);
callSuite(api);
transcriptAndRecordingSuite(api);
cancelSuite(api);
erasureSuite(api);
idempotencySuite(api);
listSuite(api);
accessSuite(api);
keyLimitSuite(api);
