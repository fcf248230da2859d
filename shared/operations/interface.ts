import * as z from 'zod/mini';
import { pageAssets } from '#shared/openapi/page-files.ts';
import type { Operations } from './operation.ts';

export const OpenApi = z.looseObject({ openapi: z.string() });

const document = {
  status: 200,
  description: 'An OpenAPI 3.1 document.',
  schema: OpenApi,
  headers: ['ETag'],
} as const;

/** The OpenAPI documents themselves. */
export const interfaceOperations = {
  getOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    authentication: 'none',
    summary: 'Get the OpenAPI document of the API.',
    tag: 'Interface',
    success: document,
    errors: {},
  },
  getAdminOpenApi: {
    method: 'GET',
    path: '/admin/openapi.json',
    authentication: 'none',
    summary: 'Get the OpenAPI document of the management API, which signed-in people use.',
    tag: 'Interface',
    success: document,
    errors: {},
  },
  getDocs: {
    method: 'GET',
    path: '/docs',
    authentication: 'none',
    summary: 'Get the API reference as a page.',
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
  getDocsAsset: {
    method: 'GET',
    path: '/docs/{asset}',
    authentication: 'none',
    summary: 'Get a file of the API reference page.',
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
    errors: { 400: ['Bad request'], 404: ['Not found'] },
  },
} as const satisfies Operations;
