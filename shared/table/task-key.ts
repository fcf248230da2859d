/** A task and its calls share a partition, so that one query reads them together. */
export function taskPartition(taskId: string): string {
  return `TASK#${taskId}`;
}

export function taskKey(taskId: string): { pk: string; sk: string } {
  return { pk: taskPartition(taskId), sk: 'TASK' };
}

/** The task's identifier, from the key of its item or of an item of one of its calls. */
export function taskIdOfKey(key: { pk: string }): string {
  return key.pk.slice('TASK#'.length);
}
