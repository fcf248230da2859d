import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Project } from '../../shared/domain/project.ts';
import { openTable } from '../../shared/table/client.ts';
import { getProject, projectIds } from '../../shared/table/project.ts';
import type { CarrierNeeds } from './carrier-checks.ts';
import { cannotTell, type Finding, missing, ok } from './finding.ts';

const check = 'live projects';

/** What the projects with live calls need from the carrier, and whether there are any. */
export async function liveNeeds(
  tableName: string,
  timeoutMs: number,
): Promise<{ finding: Finding; needs: CarrierNeeds }> {
  const client = new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
    },
  });
  const callerNumbers = new Set<string>();
  const countries = new Set<string>();
  let count = 0;
  try {
    const table = openTable(tableName, client);
    for await (const ids of projectIds(table)) {
      for (const id of ids) {
        const project = await getProject(table, id);
        const grant = project === null ? null : currentGrant(project);
        if (project === null || grant === null) continue;
        count += 1;
        callerNumbers.add(grant.caller_number);
        for (const country of project.allowed_countries ?? grant.countries) countries.add(country);
      }
    }
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    return {
      finding: cannotTell(
        check,
        `The table could not be read (${name}).`,
        'Use credentials that may read the table and use its key, and compare --table with the output TableName.',
      ),
      needs: { callerNumbers: [], countries: [] },
    };
  } finally {
    client.destroy();
  }
  const finding =
    count === 0
      ? missing(check, 'No project may make real calls.', 'Grant one with npm run grant-live.')
      : ok(check, `${count} may make real calls.`);
  return { finding, needs: { callerNumbers: [...callerNumbers].sort(), countries: [...countries].sort() } };
}

function currentGrant({ carrier, live_grant }: Project): Project['live_grant'] {
  return carrier === 'live' && live_grant?.withdrawn_at === null ? live_grant : null;
}
