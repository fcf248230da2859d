import * as z from 'zod/mini';
import { interfaceOperations } from '#shared/operations/interface.ts';
import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { PUBLIC_BASE_URL } from '#shared/triggers/variables.ts';

export const manifest = {
  name: 'open-api',
  description: 'The OpenAPI documents, the page that shows them, and the apology for calls that fail',
  memoryMb: 1024,
  timeoutSeconds: 10,
  failureMeans: 'The API documentation is unavailable, and calls that fail end without an apology.',
  environment: z.object({ PUBLIC_BASE_URL }),
  trigger: {
    kind: 'rest',
    operations: interfaceOperations,
    routes: [
      { method: 'GET', path: '/', authentication: 'none', summary: 'Redirects to the dashboard.' },
      {
        method: 'POST',
        path: '/carrier-fallback',
        // The response holds no data, and must work even when secrets cannot be read.
        authentication: 'none',
        summary: 'The carrier asks what to say after failing to fetch a TwiML document.',
      },
    ],
  },
  uses: [],
} as const satisfies FunctionManifest;
