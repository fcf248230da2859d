import { randomBytes } from 'node:crypto';
import { projectKeyOf } from '#shared/encryption/project-key.ts';
import { open, seal } from '#shared/encryption/seal.ts';
import { sampleResult, sampleTask, sampleTime } from '../support/sample-tasks.ts';

export interface SealingTime {
  readonly what: string;
  /** As JSON, and as stored. */
  readonly bytes: number;
  readonly sealedBytes: number;
  /** Processor time of sealing once and opening once. */
  readonly milliseconds: number;
}

const rounds = 2000;
const warmUps = 500;

/** What sealing, including compression, adds to a step of the hot path. */
export function measureSealing(): SealingTime[] {
  const project = { id: '019a9f3c-0000-7000-8000-000000000001' };
  const turns = Array.from({ length: 40 }, (_, index) => ({
    index,
    role: index % 2 === 0 ? 'assistant' : 'user',
    content: `Thank you, that is question ${index} of the forty that I have about the appointment.`,
    created_at: sampleTime,
  }));
  const values = {
    'words of a turn': turns[0]?.content,
    'details of a task': sampleTask(project, { result: sampleResult() }),
    'state of a conversation of 40 turns': { turns },
  };
  const key = projectKeyOf(project.id, randomBytes(32), 'arn:aws:kms:us-east-1:000000000000:key/bench');
  const place = { pk: 'TASK#1', sk: 'TASK', attribute: 'details' };
  return Object.entries(values).map(([what, value]) => {
    const run = (times: number): void => {
      for (let round = 0; round < times; round += 1) open(key, place, seal(key, place, value));
    };
    run(warmUps);
    const before = process.cpuUsage();
    run(rounds);
    const { user, system } = process.cpuUsage(before);
    return {
      what,
      bytes: Buffer.byteLength(JSON.stringify(value)),
      sealedBytes: seal(key, place, value).byteLength,
      milliseconds: (user + system) / 1000 / rounds,
    };
  });
}
