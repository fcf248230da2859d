import { projectShardCount } from '#shared/table/indexes.ts';

const usual = 1;

/** Changes and erasures read first; a list is merged from a project's partitions, then reads its page. */
const others: Partial<Record<string, number>> = {
  'cancel-task': 2,
  'update-patient': 2,
  'delete-patient': 2,
  'delete-task': 2,
  'list-patients': projectShardCount + 1,
  'list-tasks': projectShardCount + 1,
  'create-task-batch': 6,
  'get-task-batch': projectShardCount + 4,
  'cancel-task-batch': projectShardCount + 3,
};

/** The limit of DynamoDB requests per call of a /v1 function, once its API key is known. */
export function maxRequests(name: string): number {
  return others[name] ?? usual;
}
