import { createProject } from '#shared/projects/create-project.ts';
import { openServiceTable } from './evidence.ts';
import type { StackAddresses } from './stack-process.ts';

/** The project whose tasks survive the kills. */
export interface Site {
  readonly projectId: string;
  readonly apiKey: string;
  readonly signingSecret: string;
}

/** Redials follow soon, so that a run is over soon. A call that died with the stack was an attempt. */
const redialPolicy = { max_attempts: 4, delays_seconds: [2, 4, 8] };

export async function openSite(addresses: StackAddresses, webhookUrl: string): Promise<Site> {
  const table = openServiceTable(addresses);
  const { project, apiKey, webhook } = await createProject(table, {
    name: 'Crash test',
    carrier: 'sandbox',
    webhook: { url: webhookUrl, events: ['task.completed', 'call.completed'] },
    redialPolicy,
  });
  table.client.destroy();
  return { projectId: project.id, apiKey, signingSecret: webhook?.signing_secret ?? '' };
}
