import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import { environment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';

const MethodsByResource = z.record(z.string(), z.array(z.string()));

const allowedMethods = MethodsByResource.parse(JSON.parse(environment('ALLOWED_METHODS')));

export const handler = rawEndpoint(({ resource }) => {
  const allow = (allowedMethods[resource] ?? []).join(', ');
  throw new ServiceError('method_not_allowed', 'Method not allowed', { Allow: allow });
});
