import { findDays } from '../language/day-mentions.ts';
import { masked } from '../language/mentions.ts';
import type { Sentence } from '../language/text.ts';
import type { FactTopic } from '../plan/call-plan.ts';
import type { Reply } from './answers/reply.ts';
import { contentWords } from './statements.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Facts that people read back. */
const identifying: ReadonlySet<FactTopic> = new Set([
  'patient-name',
  'first-name',
  'last-name',
  'date-of-birth',
  'member-id',
  'group-number',
  'claim-number',
  'bill-number',
  'provider-npi',
  'phone',
]);

/** "Okay, February 19th, 1987": what we have told, read back. */
export function isEcho(draft: TurnDraft, { plain, isQuestion }: Sentence): boolean {
  if (isQuestion) return false;
  const told = draft.plan.facts.filter(
    ({ field, topic }) => identifying.has(topic) && draft.memory.told.includes(field),
  );
  const birth = told.find(({ topic }) => topic === 'date-of-birth')?.value;
  const days = birth === undefined ? [] : findDays(plain, draft.today, 'past');
  const births = days.filter(({ first }) => first === birth);
  const rest = masked(plain, births).replaceAll('·', ' ').trim();
  if (births.length > 0 && contentWords(rest).length <= 1) return true;
  return told.some(({ value }) => {
    const written = value.toLowerCase();
    const compact = written.replaceAll(/[^a-z0-9]/g, '');
    const said = rest.replaceAll(/[^a-z0-9]/g, '');
    if (compact.length < 4 || !said.includes(compact)) return false;
    return (
      contentWords(rest).length - contentWords(written).length <= 2 && said.length - compact.length <= 30
    );
  });
}

/** The reply without what is only read back, which answers nothing. */
export function withoutEchoes(draft: TurnDraft, reply: Reply): Reply {
  const sentences = reply.sentences.filter((sentence) => !isEcho(draft, sentence));
  return sentences.length === reply.sentences.length ? reply : { ...reply, sentences };
}
