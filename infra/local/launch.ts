import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { PersonFile } from '#shared/sandbox-phone/person/person-file.ts';
import { putPeople } from '../../shared/sandbox-phone/people/own-people.ts';
import { bundleFunctions } from '../bundle.ts';
import { type Synthesis, synthesize } from '../synth.ts';
import { step } from './demo/progress.ts';
import { startWebhookReceiver, type WebhookReceiver } from './demo/webhook-receiver.ts';
import { type DemoProject, openDemoProject } from './demo-project.ts';
import { type LocalStack, startLocalStack } from './local-stack.ts';
import { projectServices, sandboxBucket } from './stack-clients.ts';

export interface Launched {
  readonly stack: LocalStack;
  readonly project: DemoProject;
  readonly receiver: WebhookReceiver;
  stop(): Promise<void>;
}

/**
 * From sources to a service that answers: bundles the functions, synthesizes the template, boots the local stack on it
 * and opens the demo project. Whatever was started is stopped again if a later step fails.
 */
export async function launch(options: {
  dataDirectory: string;
  port: number;
  /** Where the demo project's webhooks go; null for the receiver that is started here. */
  webhookUrl: string | null;
  /** Real seconds per simulated second of a sandbox call; null for the template's default. */
  pace: string | null;
  /** What sandbox calls sound like; the template's default when it is left out. */
  speech?: 'voices' | 'tones';
  /** Values of further template parameters, by name. */
  parameters?: Readonly<Record<string, string>>;
  /** Who can be called besides the people that come with the sandbox phone; those of an earlier start are gone. */
  people?: readonly PersonFile[];
}): Promise<Launched> {
  const { dataDirectory, port, webhookUrl, pace, speech, parameters, people = [] } = options;
  // Patients and recordings of whoever tries the service lie here: for its owner only.
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    await step('Bundling the functions', () => bundleFunctions());
    const assembly = await step('Synthesizing the template', () => newAssembly(dataDirectory));
    stops.push(() => rm(assembly.assemblyDir, { recursive: true, force: true }));
    const stack = await step('Starting the local stack', () =>
      startLocalStack({
        templatePath: assembly.templatePath,
        assemblyDir: assembly.assemblyDir,
        dataDir: dataDirectory,
        port,
        parameters: {
          WebhookLoopback: 'allowed',
          ...(pace === null ? {} : { SandboxPhonePace: pace }),
          ...(speech === undefined ? {} : { SandboxPhoneSpeech: speech }),
          ...parameters,
        },
      }),
    );
    stops.push(() => stack.stop());
    await removeOtherAssemblies(dataDirectory, assembly);

    await putPeople(sandboxBucket(stack), people);
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

/**
 * Each start has an assembly of its own. The CDK takes the code that it finds in one for complete, which it is not when
 * the start before was killed while it was copied; and a running stack on the same data must keep its own.
 */
async function newAssembly(dataDirectory: string): Promise<Synthesis> {
  const outDir = await mkdtemp(join(dataDirectory, assemblyPrefix));
  // As on Lambda, where no package.json stands above the code: the data directory may lie in an ES module's project.
  await writeFile(join(outDir, 'package.json'), '{ "type": "commonjs" }\n');
  return synthesize({ outDir, stage: 'dev' });
}

/** What starts have left that were killed. Only for whoever runs on the data directory, and nobody else does. */
async function removeOtherAssemblies(dataDirectory: string, { assemblyDir }: Synthesis): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (!name.startsWith(assemblyPrefix) || name === basename(assemblyDir)) continue;
    await rm(join(dataDirectory, name), { recursive: true, force: true });
  }
}
