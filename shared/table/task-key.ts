/** A task and its calls share a partition, so that one query reads them together. */
export function taskPartition(taskId: string): string {
  return `TASK#${taskId}`;
}

export function taskKey(taskId: string): { pk: string; sk: string } {
  return { pk: taskPartition(taskId), sk: 'TASK' };
}
