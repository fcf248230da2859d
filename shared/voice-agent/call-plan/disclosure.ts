import type { AgentSettings } from '#shared/domain/agent-settings.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { Callee, Fact } from './call-plan.ts';
import policy from './disclosure-policy.json' with { type: 'json' };

type Table = Readonly<Record<TaskType, Readonly<Partial<Record<Callee, readonly string[]>>>>>;

const tasks: Table = policy.tasks;

/**
 * Whether a fact belongs to the minimum that a task must tell a role (45 CFR 164.502(b), "minimum
 * necessary"). A project may allow or forbid topics and single fields; a forbidden one is never told. The caller's
 * identity may always be told.
 */
export function mayBeTold(
  fact: Pick<Fact, 'topic' | 'field'>,
  task: TaskType,
  role: Callee,
  { allow, deny }: AgentSettings['disclosure'],
): boolean {
  const { topic, field } = fact;
  if (isOfCaller(fact) || policy.always.includes(topic)) return true;
  if (deny.includes(topic) || deny.includes(field)) return false;
  return allow.includes(topic) || allow.includes(field) || tasks[task][role]?.includes(topic) === true;
}

/** The caller's identity: none of it is patient data. */
export function isOfCaller({ field }: Pick<Fact, 'field'>): boolean {
  return field.startsWith('project.');
}
