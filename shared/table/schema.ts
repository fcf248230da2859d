import { indexNames, listedTaskAttributes, taskRowAttributes } from './indexes.ts';
import { timeToLiveAttribute } from './time-to-live.ts';

/** Keys of items by their attributes, all of which are text. */
interface Keys {
  readonly partition: string;
  readonly sort?: string;
}

/** A global secondary index with no (`keys`) or some attributes besides the keys. */
export interface IndexSchema extends Keys {
  readonly name: string;
  readonly projects: 'keys' | readonly string[];
}

/** The single table, as the stack, the local stack and the tests create it. */
export const tableSchema = {
  keys: { partition: 'pk', sort: 'sk' },
  timeToLiveAttribute,
  indexes: [
    { name: indexNames.rows, partition: 'project_pk', sort: 'project_sk', projects: taskRowAttributes },
    { name: indexNames.work, partition: 'work_pk', sort: 'project_sk', projects: taskRowAttributes },
    { name: indexNames.patient, partition: 'patient_pk', sort: 'patient_sk', projects: listedTaskAttributes },
    // A call and its recording; what the answer to a request for the recording needs is projected.
    { name: indexNames.call, partition: 'call_pk', projects: ['project_id', 'recording'] },
    { name: indexNames.due, partition: 'due_pk', sort: 'due_at', projects: ['type'] },
    { name: indexNames.waitQueue, partition: 'lane_pk', sort: 'lane_sk', projects: 'keys' },
  ],
} as const satisfies {
  readonly keys: Keys;
  readonly timeToLiveAttribute: string;
  readonly indexes: readonly IndexSchema[];
};
