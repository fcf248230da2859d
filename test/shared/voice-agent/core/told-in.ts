import type { TaskType } from '#shared/domain/task-type.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { itemsElsewhere } from '#shared/voice-agent/call-plan/items.ts';
import type { Evidence } from '#shared/voice-agent/core/clause-value.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import type { EntityType } from '#shared/voice-agent/entities/entity.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

function planOf(task_type: TaskType): CallPlan {
  const project = sampleProject();
  return createCallPlan(sampleTask(project, { task_type, task: 'Call.' }), patient, project);
}

export const benefits = planOf('VERIFY_INSURANCE');
export const claim = planOf('REIMBURSEMENT');
export const visit = planOf('SCHEDULE_APPOINTMENT');
const expecting: Readonly<Record<string, readonly EntityType[]>> = {
  money: ['money'],
  number: ['quantity', 'number'],
  identifier: ['identifier'],
  name: ['name', 'provider'],
  'date-time': ['moment', 'date'],
};

type Known = Pick<Evidence, 'key' | 'value'> & { readonly answer?: string };

/** What words come to by item, as the answer to what was asked. */
export function told(plan: CallPlan, key: string | null, said: string, known: readonly Known[] = []) {
  return Object.fromEntries(
    sureEvidence(plan, key, said, known).map((evidence) => [evidence.key, evidence.value]),
  );
}

/** The same with the words in place of values. */
export function quoted(plan: CallPlan, key: string | null, said: string, known: readonly Known[] = []) {
  return Object.fromEntries(
    sureEvidence(plan, key, said, known).map((evidence) => [evidence.key, evidence.quote]),
  );
}

/** The words that an answer rests on; undefined when there is none that is sure. */
export function quoteFor(plan: CallPlan, key: string, said: string): string | undefined {
  return sureEvidence(plan, key, said).find((evidence) => evidence.key === key)?.quote;
}

/** What the words say of the item that was asked for, however unsure. */
export function evidenceFor(plan: CallPlan, key: string, said: string): Evidence | undefined {
  return evidenceOf(plan, key, said).find((evidence) => evidence.key === key);
}

function sureEvidence(...call: Parameters<typeof evidenceOf>): Evidence[] {
  return evidenceOf(...call).filter(({ confidence }) => confidence >= 0.55);
}

function evidenceOf(
  plan: CallPlan,
  key: string | null,
  said: string,
  known: readonly Known[] = [],
): Evidence[] {
  const asked = plan.items.find((item) => item.key === key) ?? null;
  const heard = understand(said, 1, {
    today: '2026-11-16',
    after: asked === null ? null : asked.kind === 'yes-no' ? 'yes-no-question' : 'question',
    direction: 'past',
    expecting: expecting[asked?.kind ?? ''] ?? [],
    elsewhere: itemsElsewhere(plan.task_type),
  });
  return evidenceIn(heard, plan, asked, known);
}
