import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { putPersonas } from '../../shared/sandbox-phone/personas/own-personas.ts';
import { copyAssembly } from '../assembly.ts';
import type { Synthesis } from '../synth.ts';
import { step } from './demo/progress.ts';
import { startWebhookReceiver, type WebhookReceiver } from './demo/webhook-receiver.ts';
import { type DemoProject, openDemoProject } from './demo-project.ts';
import { type LocalStack, startLocalStack } from './local-stack.ts';
import { LocalStackError } from './local-stack-error.ts';
import { checkPortFree } from './servers/kept-port.ts';
import { projectServices, sandboxBucket } from './stack-clients.ts';
import { openStackState } from './stack-state.ts';

export interface Launched {
  readonly stack: LocalStack;
  readonly project: DemoProject;
  readonly receiver: WebhookReceiver;
  stop(): Promise<void>;
}

/**
 * From sources to a running service: builds the functions and the template, starts the local stack and opens the demo
 * project. Stops what it has started if a later step fails.
 */
export async function launch(options: {
  dataDirectory: string;
  port: number;
  /** Destination of the demo project's webhooks; null for the receiver started here. */
  webhookUrl: string | null;
  /** Real seconds per simulated second of a sandbox call; null for the template's default. */
  pace: string | null;
  /** What sandbox calls sound like; the template's default when it is left out. */
  speech?: 'voices' | 'tones';
  /** Values of further template parameters, by name. */
  parameters?: Readonly<Record<string, string>>;
  /** Personas beside the sandbox phone's own; those of an earlier start are gone. */
  people?: readonly PersonaFile[];
}): Promise<Launched> {
  const { dataDirectory, port, webhookUrl, pace, speech, parameters, people = [] } = options;
  // Before the build, which takes longest, so that a port in use is reported at once.
  await checkPortFree(port);
  await createDirectory(resolve(dataDirectory));
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    const state = openStackState(dataDirectory);
    stops.push(async () => state.close());
    await removeAssemblies(dataDirectory);
    const assembly = await step('Building the functions and the template', () => newAssembly(dataDirectory));
    stops.push(() => rm(assembly.assemblyDir, { recursive: true, force: true }));
    const stack = await step('Starting the local stack', () =>
      startLocalStack({
        templatePath: assembly.templatePath,
        assemblyDir: assembly.assemblyDir,
        dataDir: dataDirectory,
        state,
        port,
        parameters: {
          ...(pace === null ? {} : { SandboxPhonePace: pace }),
          ...(speech === undefined ? {} : { SandboxPhoneSpeech: speech }),
          ...parameters,
        },
      }),
    );
    stops.push(() => stack.stop());
    await putPersonas(sandboxBucket(stack), people);
    let secret = '';
    const receiver = await startWebhookReceiver(() => secret);
    stops.push(() => receiver.stop());
    const project = await openDemoProject(projectServices(stack), dataDirectory, webhookUrl ?? receiver.url);
    secret = project.webhook_signing_secret;
    return { stack, project, receiver, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const assemblyPrefix = 'assembly-';

/** A copy: that of a build may be removed while the stack runs. */
async function newAssembly(dataDirectory: string): Promise<Synthesis> {
  return copyAssembly('dev', await mkdtemp(join(dataDirectory, assemblyPrefix)));
}

/** Removes what killed starts have left. Call it only while holding the lock of the data directory. */
async function removeAssemblies(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (name.startsWith(assemblyPrefix))
      await rm(join(dataDirectory, name), { recursive: true, force: true });
  }
}

/** Node's own recursive creation never ends in /proc, and takes a read-only disk for a missing directory. */
async function createDirectory(path: string): Promise<void> {
  if (existsSync(path)) {
    if ((await stat(path)).isDirectory()) return;
    throw new LocalStackError(`${path} is not a directory`);
  }
  await createDirectory(dirname(path));
  // Contains patients and recordings: readable only by its owner.
  await mkdir(path, { mode: 0o700 });
}
