import { createProject } from '#shared/projects/create-project.ts';
import { putPeople } from '#shared/sandbox-phone/people/own-people.ts';
import type { PersonFile } from '#shared/sandbox-phone/person/person-file.ts';
import { ServiceClient } from '../../infra/local/demo/service-client.ts';
import type { LocalStack } from '../../infra/local/local-stack.ts';
import { projectServices, sandboxBucket, sandboxStore, stackTable } from '../../infra/local/stack-clients.ts';
import { openTemporaryStack } from '../support/temporary-stack.ts';
import type { Casting } from './cast.ts';
import type { Venue } from './hold-conversation.ts';
import { callerNumbers, insistent, once, usualPatient } from './usual-tasks.ts';

export interface Stage {
  venueFor(casting: Casting): Venue;
  close(): Promise<void>;
}

/**
 * The local stack on the synthesized template, with calls that take no real time and sound in tones, and these people
 * at its sandbox phone.
 */
export async function openStage(people: readonly PersonFile[], seeds: number): Promise<Stage> {
  const { stack, close } = await openTemporaryStack('evaluation', {
    SandboxPhoneSpeech: 'tones',
    SilenceSeconds: '4',
  });
  try {
    return { venueFor: await openVenues(stack, people, seeds), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openVenues(
  stack: LocalStack,
  people: readonly PersonFile[],
  seeds: number,
): Promise<Stage['venueFor']> {
  const table = stackTable(stack);
  const sandbox = sandboxStore(stack);
  await putPeople(sandboxBucket(stack), people);
  const sweep = (): Promise<unknown> => stack.invoke('call-sweeper', { time: new Date().toISOString() });

  const openVenue = async (callerNumber: string, redialPolicy: typeof once): Promise<Venue> => {
    const { project, apiKey } = await createProject(projectServices(stack), {
      name: 'Evaluation',
      carrier: 'sandbox',
      webhook: null,
      callerNumber,
      redialPolicy,
    });
    const client = new ServiceClient(stack.baseUrl, apiKey);
    const patientId = await client.createPatient({ project_id: project.id, ...usualPatient });
    return { client, project, patientId, table, sandbox, sweep };
  };
  const venues = await Promise.all(
    callerNumbers.slice(0, seeds).map(async (callerNumber) => ({
      once: await openVenue(callerNumber, once),
      insistent: await openVenue(callerNumber, insistent),
    })),
  );
  return ({ person, seed }) => {
    const venue = venues[seed];
    if (venue === undefined) throw new Error(`there is no seed ${seed}`);
    return Array.isArray(person.reach) ? venue.insistent : venue.once;
  };
}
