import { clientAccess } from '#shared/audit/client-access.ts';
import { openTable } from '#shared/table/client.ts';
import { projectRateLimit } from '#shared/throttling/project-rate-limit.ts';
import { apiKeyAuthentication } from './api-key-authentication.ts';

/** Shared setup of the client API's functions: the table, access logging, authentication and rate limits. */
export function openClientApi(env: {
  readonly TABLE_NAME: string;
  readonly PROJECT_REQUESTS_PER_SECOND: string;
}) {
  const table = openTable(env.TABLE_NAME);
  return {
    table,
    access: clientAccess(table),
    admission: {
      authenticate: apiKeyAuthentication(table),
      limitRate: projectRateLimit(table, env.PROJECT_REQUESTS_PER_SECOND),
    },
  };
}
