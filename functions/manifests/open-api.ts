import * as z from 'zod/mini';
import { interfaceOperations } from '#shared/operations/interface.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PUBLIC_BASE_URL } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'open-api',
  description: 'The description of the API, and a page that shows it',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Nobody can read how the API is to be used; the API itself works.',
  environment: z.object({ PUBLIC_BASE_URL }),
  trigger: {
    kind: 'rest',
    operations: interfaceOperations,
    routes: [{ method: 'GET', path: '/', authentication: 'none', summary: 'Leads people to the dashboard.' }],
  },
  uses: [],
} as const satisfies FunctionManifest;
