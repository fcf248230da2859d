import * as z from 'zod/mini';
import type { Operation } from './operation.ts';
import { pageAssets } from './page-files.ts';

/** The description of the interface itself. */
export const openOperations = {
  'GET /openapi.json': {
    operationId: 'getOpenApi',
    tag: 'Interface',
    success: {
      status: 200,
      description: 'This document, of version 3.1 of the OpenAPI Specification.',
      schema: z.looseObject({ openapi: z.string() }),
      headers: ['ETag'],
    },
    errors: {},
  },
  'GET /docs': {
    operationId: 'getDocs',
    tag: 'Interface',
    success: {
      status: 200,
      description: 'The page.',
      schema: z.string(),
      mediaType: 'text/html',
      headers: ['ETag'],
    },
    errors: {},
  },
  'GET /docs/{asset}': {
    operationId: 'getDocsAsset',
    tag: 'Interface',
    pathParameters: {
      asset: {
        description: 'Name of the file.',
        schema: { type: 'string', enum: [...pageAssets.keys()] },
      },
    },
    success: {
      status: 200,
      description: 'A script or a style sheet.',
      schema: z.string(),
      mediaType: 'text/*',
      headers: ['ETag'],
    },
    errors: { 404: ['Not found'] },
  },
} as const satisfies Record<`${string} /${string}`, Operation>;
