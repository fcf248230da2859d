import * as z from 'zod/mini';
import { interfaceOperations } from '#shared/operations/interface.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PUBLIC_BASE_URL } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'open-api',
  description:
    'The description of the API, a page that shows it, and the apology of calls that cannot be held',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'Nobody can read how the API is to be used, and calls that fail end without an apology.',
  environment: z.object({ PUBLIC_BASE_URL }),
  trigger: {
    kind: 'rest',
    operations: interfaceOperations,
    routes: [
      { method: 'GET', path: '/', authentication: 'none', summary: 'Leads people to the dashboard.' },
      {
        method: 'POST',
        path: '/carrier-fallback',
        // The answer holds nothing, and is to come when secrets cannot be read.
        authentication: 'none',
        summary: 'The carrier asks what to say when a document of ours did not come.',
      },
    ],
  },
  uses: [],
} as const satisfies FunctionManifest;
