import { commandAuditItem } from '../shared/admin/audit.ts';
import { GrantInput, grantLimits, grantLive, withdrawLive } from '../shared/admin/live-grant.ts';
import { liveCarrierBaseUrl } from '../shared/carrier/carrier-client.ts';
import { carrierClients } from '../shared/carrier/carriers.ts';
import { SharedLineClock, usualGrant } from '../shared/domain/live-grant.ts';
import { phoneNumberPattern } from '../shared/domain/values.ts';
import { openTable } from '../shared/table/client.ts';
import { given, givenId, oneOf, runCommand, UsageError, type Values, wholeNumber } from './command.ts';

const help = `Lets a project make real calls, changes its limits, or withdraws the grant. A sandbox project goes live:
its tasks stay behind uncalled, its API keys are revoked, and its owners generate live ones.

  npm run grant-live -- --table NAME --project ID --carrier-secret NAME --caller-number NUMBER [options]
  npm run grant-live -- --table NAME --project ID --withdraw

  --table NAME              the service's table (output TableName of the stack)
  --project ID              the project
  --carrier-secret NAME     the secret with the live carrier's credentials (parameter LiveCarrierSecretId)
  --caller-number NUMBER    caller ID, E.164; the carrier must confirm that the account has it
  --countries LIST          comma list of the countries it may call (default: ${usualGrant.countries.join(',')})
  --max-concurrent-calls N  calls at the same time, 1 to ${grantLimits.concurrentCalls}
                            (default: ${usualGrant.max_concurrent_calls})
  --calls-per-day N         1 to ${grantLimits.callsPerDay} (default: ${usualGrant.calls_per_day})
  --minutes-per-day N       talk minutes, 1 to ${grantLimits.minutesPerDay} (default: ${usualGrant.minutes_per_day})
  --time-zone ZONE          the time zone its days are counted in (default: ${usualGrant.time_zone})
  --shared-lines CLOCK      when toll-free numbers may be called: own-clock, in the project's time zone (default),
                            or called-zones, in the time zones of everywhere they may ring
  --carrier-url URL         the carrier's address, for rehearsals with a sandbox phone (default: ${liveCarrierBaseUrl})
  --withdraw                dial no more calls; calls in progress continue
  --help                    this text

For a project that is already live, options left out stay unchanged. Region, credentials and endpoints come from the
environment, as for the AWS command line. Prints JSON with project_id and live_grant. The audit log records it.`;

interface Grant {
  readonly carrierSecretId: string;
  readonly carrierUrl: string;
  readonly input: GrantInput;
}

interface Arguments {
  readonly tableName: string;
  readonly projectId: string;
  /** Null to withdraw the grant. */
  readonly grant: Grant | null;
}

const options = {
  table: { type: 'string' },
  project: { type: 'string' },
  'carrier-secret': { type: 'string' },
  'caller-number': { type: 'string' },
  countries: { type: 'string' },
  'max-concurrent-calls': { type: 'string' },
  'calls-per-day': { type: 'string' },
  'minutes-per-day': { type: 'string' },
  'time-zone': { type: 'string' },
  'shared-lines': { type: 'string' },
  'carrier-url': { type: 'string', default: liveCarrierBaseUrl },
  withdraw: { type: 'boolean', default: false },
} as const;

function readArguments(values: Values<typeof options>): Arguments {
  const tableName = given('--table', values.table);
  const projectId = givenId('--project', values.project);
  if (values.withdraw) return { tableName, projectId, grant: null };
  const callerNumber = given('--caller-number', values['caller-number']);
  if (!phoneNumberPattern.test(callerNumber)) {
    throw new UsageError(`--caller-number must match ${phoneNumberPattern.source}`);
  }
  const numbers = [
    ['max-concurrent-calls', 'max_concurrent_calls', grantLimits.concurrentCalls],
    ['calls-per-day', 'calls_per_day', grantLimits.callsPerDay],
    ['minutes-per-day', 'minutes_per_day', grantLimits.minutesPerDay],
  ] as const;
  const input = GrantInput.safeParse({
    caller_number: callerNumber,
    countries: values.countries?.split(',').map((code) => code.trim()),
    time_zone: values['time-zone'],
    shared_lines:
      values['shared-lines'] === undefined
        ? undefined
        : oneOf('--shared-lines', SharedLineClock.options, values['shared-lines']),
    ...Object.fromEntries(
      numbers.flatMap(([option, member, most]) => {
        const text = values[option];
        return text === undefined ? [] : [[member, wholeNumber(option, text, 1, most)]];
      }),
    ),
  });
  if (!input.success) {
    const [issue] = input.error.issues;
    throw new UsageError(`--${String(issue?.path[0]).replaceAll('_', '-')} ${issue?.message}`);
  }
  return {
    tableName,
    projectId,
    grant: {
      carrierSecretId: given('--carrier-secret', values['carrier-secret']),
      carrierUrl: values['carrier-url'],
      input: input.data,
    },
  };
}

await runCommand('grant-live', 'The grant was not changed', { help, options }, async (values) => {
  const args = readArguments(values);
  const { tableName, projectId, grant } = args;
  const table = openTable(tableName);
  const audit: Parameters<typeof withdrawLive>[0]['audit'] = (id, action, now) =>
    commandAuditItem(table, id, action, now);
  let project: Awaited<ReturnType<typeof withdrawLive>>;
  if (grant === null) project = await withdrawLive({ table, audit }, projectId);
  else {
    const secretIds = { sandbox: '', live: grant.carrierSecretId };
    const carrier = await carrierClients(secretIds, '', grant.carrierUrl)('live');
    project = await grantLive({ table, carrier, audit }, projectId, grant.input);
  }
  return JSON.stringify({ project_id: projectId, live_grant: project.live_grant }, null, 2);
});
