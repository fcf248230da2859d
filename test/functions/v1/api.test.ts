import { afterAll, beforeAll } from 'vitest';
import type { ApiUnderTest } from '../../support/api-under-test.ts';
import { startHandlerApi } from '../../support/handler-api.ts';
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

let started: ApiUnderTest;
beforeAll(async () => {
  started = await startHandlerApi();
});
afterAll(() => started.stop());

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
