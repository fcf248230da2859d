import { createProject, type ProjectServices } from '#shared/projects/create-project.ts';
import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { putPersonas } from '#shared/sandbox-phone/personas/own-personas.ts';
import type { PersonaBucket } from '#shared/sandbox-phone/personas/persona-bucket.ts';
import type { SandboxStore } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { ServiceClient } from '../../infra/local/demo/service-client.ts';
import { projectServices, sandboxBucket, sandboxStore } from '../../infra/local/stack-clients.ts';
import { openTemporaryStack } from '../support/temporary-stack.ts';
import type { Casting } from './cast.ts';
import { openDeployedStack } from './deployed-stack.ts';
import type { Venue } from './hold-conversation.ts';
import type { Options } from './options.ts';
import { callerNumbers, insistent, once, usualPatient } from './usual-tasks.ts';

export interface Stage {
  venueFor(casting: Casting): Venue;
  close(): Promise<void>;
}

/** What the scoreboard needs from a running stack. */
export interface RunningStack extends Pick<Venue, 'sweep' | 'longestMs'> {
  readonly baseUrl: string;
  readonly services: ProjectServices;
  readonly sandbox: SandboxStore;
  readonly people: PersonaBucket;
  close(): Promise<void>;
}

/** A running stack with these people at its sandbox phone. */
export async function openStage(
  people: readonly PersonaFile[],
  { stack: deployed, seeds }: Pick<Options, 'stack' | 'seeds'>,
): Promise<Stage> {
  const stack = await (deployed === null ? openOwnStack() : openDeployedStack(deployed));
  try {
    if (people.length > 0) await putPersonas(stack.people, people);
    return { venueFor: await openVenues(stack, seeds), close: stack.close };
  } catch (error) {
    await stack.close();
    throw error;
  }
}

/** The local stack on the synthesized template, with calls that take no real time and beep. */
async function openOwnStack(): Promise<RunningStack> {
  const { stack, close } = await openTemporaryStack('evaluation', {
    SandboxPhoneSpeech: 'tones',
    SilenceSeconds: '4',
  });
  return {
    baseUrl: stack.baseUrl,
    services: projectServices(stack),
    sandbox: sandboxStore(stack),
    people: sandboxBucket(stack),
    sweep: () => stack.invoke('call-sweeper', { time: new Date().toISOString() }),
    longestMs: 60_000,
    close,
  };
}

async function openVenues(stack: RunningStack, seeds: number): Promise<Stage['venueFor']> {
  const { baseUrl, services, sandbox, sweep, longestMs } = stack;
  const openVenue = async (callerNumber: string, redialPolicy: typeof once): Promise<Venue> => {
    const { project, apiKey } = await createProject(services, {
      name: 'Evaluation',
      carrier: 'sandbox',
      webhook: null,
      callerNumber,
      redialPolicy,
    });
    const client = new ServiceClient(baseUrl, apiKey);
    const patientId = await client.createPatient({ project_id: project.id, ...usualPatient });
    return { client, project, patientId, table: services.table, sandbox, sweep, longestMs };
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
