import type { EntityType } from '../entities/entity.ts';
import { wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { ItemKind, PlanItem } from './call-plan.ts';
import { plainWords } from './words.ts';

/** The kinds of values that answer an item; none for those that are answered in words. */
export const entityTypes: Partial<Record<ItemKind, readonly EntityType[]>> = {
  money: ['money'],
  percentage: ['percent'],
  number: ['quantity', 'number'],
  date: ['date', 'moment'],
  'date-time': ['moment', 'date'],
  identifier: ['identifier'],
  'phone-number': ['phone'],
  name: ['provider', 'name'],
};

/** What an ambiguous number is read as when an item of a kind was asked for. */
export function expectedTypes(kind: ItemKind | undefined): readonly EntityType[] {
  switch (kind) {
    case undefined:
      return [];
    case 'date':
      return ['date'];
    case 'date-time':
      return ['moment', 'date', 'time'];
    default:
      return entityTypes[kind] ?? [];
  }
}

/**
 * The kinds of values with which people answer a question, whatever its item takes: "Is there a deposit?" "Fifty
 * dollars." "When do you close?" "At five."
 */
export function valueTypesOf({ kind, question }: Pick<PlanItem, 'kind' | 'question'>): readonly EntityType[] {
  const words = plainWords(question);
  const isOfDay = kind === 'date' || kind === 'date-time';
  if (isOfDay || words.includes('time') || words.slice(0, 2).includes('when')) return times;
  const types = entityTypes[kind] ?? [];
  return types.length === 0 && words.some((word) => priceWords.has(word)) ? ['money'] : types;
}

const times: readonly EntityType[] = ['time', 'time-range', 'moment', 'date'];
const priceWords = wordSet(cues.prices);
