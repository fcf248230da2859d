import type { Fact } from '../call-plan/call-plan.ts';
import type { TurnDraft } from './turn-draft.ts';

/* The facts that a requested topic means. */

/** A topic that falls back to other facts. */
const standIns: Readonly<Record<string, readonly string[]>> = {
  'insurance-details': ['insurer', 'member-id'],
  'first-name': ['patient-name'],
  'last-name': ['patient-name'],
  'service-date': ['claim-date'],
  'visit-reason': ['service', 'treatment', 'context'],
  'reschedule-reason': ['visit-reason', 'service', 'treatment', 'context'],
  diagnosis: ['visit-reason'],
  service: ['treatment', 'visit-reason', 'procedure-codes'],
  treatment: ['service'],
  'provider-name': ['facility', 'preferred-provider'],
  facility: ['provider-name'],
  'claim-number': ['bill-number'],
  'bill-number': ['claim-number'],
  'tax-id': ['provider-npi'],
  subscriber: ['patient-name'],
  insurer: ['plan-name'],
};

const numbers: ReadonlySet<string> = new Set(['claim-number', 'bill-number', 'tax-id']);

/** The facts of a topic that may be told to the person on the line. */
export function factsFor({ view, plan }: TurnDraft, topic: string): Fact[] {
  if (topic === 'other') return [];
  const own = view.facts.filter((fact) => fact.topic === topic);
  if (own.length > 0) return own.slice(0, 2);
  for (const other of standIns[topic] ?? []) {
    // A payer asking for details does not ask for its own name.
    const isTheirs = other === 'insurer' && plan.callee !== 'clinic' && plan.callee !== 'office';
    // A number given as a substitute is not repeated: they want the one we lack.
    const isSpent = ({ field }: Fact): boolean => numbers.has(topic) && view.told.includes(field);
    const facts = isTheirs ? [] : view.facts.filter((fact) => fact.topic === other && !isSpent(fact));
    if (facts.length > 0) return facts.slice(0, 1);
    if (topic === 'insurance-details') continue;
  }
  return [];
}
