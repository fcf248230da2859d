import { FactTopic } from './call-plan.ts';
import table from './facts.json' with { type: 'json' };

const rows: readonly (readonly string[])[] = Object.values(table.rows).flat();
const topics: ReadonlySet<string> = new Set(FactTopic.options);
const fields: ReadonlySet<string> = new Set(rows.map(([path = '', , , , field = path]) => field));

/**
 * Whether a project may name this when it allows or forbids that something is told: a topic, such as `member-id`, or a
 * field that every plan may have, such as `patient.email`. What clients add to `task_data` is named by its topic.
 */
export function isDisclosureName(name: string): boolean {
  return topics.has(name) || fields.has(name);
}
