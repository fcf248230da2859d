import { FactTopic } from './call-plan.ts';
import table from './facts.json' with { type: 'json' };

const rows: readonly (readonly string[])[] = Object.values(table.rows).flat();
const topics: ReadonlySet<string> = new Set(FactTopic.options);
const fields: ReadonlySet<string> = new Set(rows.map(([path = '', , , , field = path]) => field));

/**
 * Whether a project may name this to allow or forbid a disclosure: a topic, such as `member-id`, or a
 * field of every plan, such as `patient.email`. Members that clients add to `task_data` are named by topic.
 */
export function isDisclosureName(name: string): boolean {
  return topics.has(name) || fields.has(name);
}
