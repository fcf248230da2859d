import type { PrimaryKey } from './primary-key.ts';

/** A task, its calls and their recordings share a partition, so that one query reads them together. */
export function taskPartition(taskId: string): string {
  return `TASK#${taskId}`;
}

export function taskKey(taskId: string): PrimaryKey {
  return { pk: taskPartition(taskId), sk: 'TASK' };
}

export function callKey(taskId: string, callId: string): PrimaryKey {
  return { pk: taskPartition(taskId), sk: `CALL#${callId}` };
}

/** Sorts after its call, and before the next one. */
export function recordingKey(taskId: string, callId: string): PrimaryKey {
  return { pk: taskPartition(taskId), sk: `CALL#${callId}#RECORDING` };
}

/** The call's identifier, from the sort key of its item or of that of its recording. */
export function callIdOfKey(key: { sk: string }): string {
  const [, callId = ''] = key.sk.split('#');
  return callId;
}

/** The task's identifier, from the key of its item or of an item of one of its calls. */
export function taskIdOfKey(key: { pk: string }): string {
  return key.pk.slice('TASK#'.length);
}
