import { commandAuditItem } from '#shared/admin/audit.ts';
import { type GrantServices, grantLive } from '#shared/admin/live-grant.ts';
import { issueApiKey } from '#shared/api-keys/new-api-key.ts';
import type { CallingHours } from '#shared/domain/project.ts';
import { type CreatedProject, createProject } from '#shared/projects/create-project.ts';
import { createApiKeyItems } from '#shared/table/api-key.ts';
import type { Table } from '#shared/table/client.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { LocalKey, LocalKeys } from '../../../infra/local/servers/kms-server.ts';
import { localKms } from '../../support/local-kms.ts';
import { localKmsEnvelope, projectServices } from '../../support/project-services.ts';
import type { SeededRandom } from '../engine/random.ts';

const someHours: readonly CallingHours[] = [
  { opens: '08:00', closes: '21:00', days: [1, 2, 3, 4, 5, 6, 7], on_holidays: true },
  { opens: '09:00', closes: '17:00', days: [1, 2, 3, 4, 5], on_holidays: false },
  { opens: '00:00', closes: '24:00', days: [6, 7], on_holidays: true },
];

const bothCarriers = ['sandbox', 'live', 'sandbox'] as const;
const oneCarrier = ['sandbox', 'sandbox', 'sandbox'] as const;

/** Creates the projects: of both carriers, each with its own settings and a webhook with its index in the path. */
export async function createProjects(
  table: Table,
  keys: LocalKeys,
  secretsKey: LocalKey,
  random: SeededRandom,
  now: Date,
  isSharedLine: boolean,
): Promise<CreatedProject[]> {
  const carriers = isSharedLine ? oneCarrier : bothCarriers;
  const services = {
    ...projectServices(table),
    secrets: localKmsEnvelope(secretsKey),
    keys: localKms(keys).keyMaker(table.name),
  };
  const created: CreatedProject[] = [];
  // Tasks created within moments of a grant belong to the sandbox.
  const early = new Date(now.getTime() - 60_000);
  for (const [index, carrier] of carriers.entries()) {
    const project = await createProject(
      services,
      {
        name: `Project ${index}`,
        carrier: 'sandbox',
        callerNumber: `+1202555018${index}`,
        webhook: {
          url: `https://receiver.simulation.example.test/${index}`,
          events: ['task.completed', 'call.completed'],
        },
        redialPolicy: random.pick([
          {},
          { max_attempts: 2, delays_seconds: [20] },
          { max_attempts: 4, delays_seconds: [0, 60, 900] },
          { max_attempts: 1, delays_seconds: [] },
        ]),
        maxConcurrentCalls: isSharedLine ? 10 : random.pick([1, 2, 3, 10]),
        recordingRetentionDays: random.chance(0.06) ? 1 : null,
        ...(isSharedLine || random.chance(0.7) ? {} : { callingHours: random.pick(someHours) }),
      },
      early,
    );
    created.push(carrier === 'live' ? await goLive(table, project, early) : project);
  }
  return created;
}

/** The operator's grant; the carrier confirms any number. */
async function goLive(table: Table, created: CreatedProject, now: Date): Promise<CreatedProject> {
  const { caller_number, id } = created.project;
  const audit: GrantServices['audit'] = (projectId, deed, at) => commandAuditItem(table, projectId, deed, at);
  const services = { table, carrier: { ownsNumber: async () => true }, audit };
  const project = await grantLive(services, id, { caller_number }, () => now);
  const { key, apiKey } = issueApiKey(project, { name: 'Live key', expiresAt: null, createdBy: null }, now);
  await writeTransaction(table, createApiKeyItems(table, apiKey));
  return { ...created, project, apiKey: key };
}

/** Projects on the same carrier share some of the numbers that they call. */
export function numbersOf(index: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, number) => `+120255501${String(number + 10 + index * Math.floor(count / 4)).padStart(2, '0')}`,
  ).concat('+12025550191');
}
