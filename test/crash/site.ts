import { createProject } from '#shared/projects/create-project.ts';
import { openProjectServices } from './evidence.ts';
import type { StackAddresses } from './stack-process.ts';

/** A project on a stack, and what its clients need to know. */
export interface Site {
  readonly projectId: string;
  readonly apiKey: string;
  readonly signingSecret: string;
}

/** Redials follow soon, so that a run ends soon. */
const redialDelaysSeconds = [2, 4, 8];

export async function openSite(
  addresses: StackAddresses,
  {
    name,
    webhookUrl,
    attempts,
    maxConcurrentCalls,
  }: { name: string; webhookUrl: string; attempts: number; maxConcurrentCalls?: number },
): Promise<Site> {
  const services = openProjectServices(addresses);
  const { project, apiKey, webhook } = await createProject(services, {
    name,
    carrier: 'sandbox',
    webhook: { url: webhookUrl, events: ['task.completed', 'call.completed'] },
    redialPolicy: { max_attempts: attempts, delays_seconds: redialDelaysSeconds },
    ...(maxConcurrentCalls === undefined ? {} : { maxConcurrentCalls }),
  });
  services.table.client.destroy();
  return { projectId: project.id, apiKey, signingSecret: webhook?.signingSecret ?? '' };
}
