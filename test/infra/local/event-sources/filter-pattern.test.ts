import { describe, expect, test } from 'vitest';
import { failedItems } from '../../../../infra/local/event-sources/batch-response.ts';
import { compileFilters } from '../../../../infra/local/event-sources/filter-pattern.ts';

const record = {
  eventName: 'MODIFY',
  dynamodb: { NewImage: { type: { S: 'task' }, attempts: { N: '3' }, tags: { SS: ['a', 'b'] } } },
};

describe('filter criteria of event source mappings', () => {
  test.each<[string, object, boolean]>([
    ['an empty pattern', {}, true],
    ['one of several values', { eventName: ['INSERT', 'MODIFY'] }, true],
    ['none of the values', { eventName: ['INSERT', 'REMOVE'] }, false],
    [
      'nested members, all of which must fit',
      { eventName: ['MODIFY'], dynamodb: { NewImage: { type: { S: ['task', 'call'] } } } },
      true,
    ],
    [
      'one nested member that does not',
      { eventName: ['MODIFY'], dynamodb: { NewImage: { type: { S: ['call'] } } } },
      false,
    ],
    ['a list of the record', { dynamodb: { NewImage: { tags: { SS: ['b', 'z'] } } } }, true],
    ['exists', { dynamodb: { NewImage: { type: { S: [{ exists: true }] } } } }, true],
    ['exists: false', { dynamodb: { OldImage: { type: { S: [{ exists: false }] } } } }, true],
    [
      'exists: false of what is there',
      { dynamodb: { NewImage: { type: { S: [{ exists: false }] } } } },
      false,
    ],
    ['prefix', { eventName: [{ prefix: 'MOD' }] }, true],
    ['suffix', { eventName: [{ suffix: 'MOD' }] }, false],
    ['equals-ignore-case', { eventName: [{ 'equals-ignore-case': 'modify' }] }, true],
    ['anything-but', { eventName: [{ 'anything-but': ['REMOVE'] }] }, true],
    ['anything-but the value', { eventName: [{ 'anything-but': 'MODIFY' }] }, false],
    ['anything-but a prefix', { eventName: [{ 'anything-but': { prefix: 'MOD' } }] }, false],
    ['anything-but what is not there', { other: [{ 'anything-but': 'x' }] }, false],
    ['numeric', { dynamodb: { NewImage: { attempts: { N: [{ numeric: ['>=', 3, '<', 4] }] } } } }, true],
    ['numeric out of range', { dynamodb: { NewImage: { attempts: { N: [{ numeric: ['>', 3] }] } } } }, false],
    [
      '$or',
      { $or: [{ eventName: ['INSERT'] }, { dynamodb: { NewImage: { type: { S: ['task'] } } } }] },
      true,
    ],
  ])('%s', (_, pattern, expected) => {
    expect(compileFilters([JSON.stringify(pattern)], 'Mapping')(record)).toBe(expected);
  });

  test('one matching pattern suffices, and no patterns match everything', () => {
    expect(compileFilters(['{"eventName":["INSERT"]}', '{"eventName":["MODIFY"]}'], 'Mapping')(record)).toBe(
      true,
    );
    expect(compileFilters([], 'Mapping')(record)).toBe(true);
  });

  test.each(['{"a":[{"wildcard":"x*"}]}', '{"a":"no list"}', '{"a":[{"numeric":["~",1]}]}', 'no JSON'])(
    '%s is refused at the start',
    (pattern) => {
      expect(() => compileFilters([pattern], 'Mapping')).toThrow('Mapping');
    },
  );
});

describe('partial batch responses', () => {
  const items = ['a', 'b', 'c'];
  test.each<[string, unknown, readonly string[]]>([
    ['nothing', null, []],
    ['an empty object', {}, []],
    ['an empty list', { batchItemFailures: [] }, []],
    ['null for the list', { batchItemFailures: null }, []],
    ['one item', { batchItemFailures: [{ itemIdentifier: 'b' }] }, ['b']],
    ['an unknown item fails all', { batchItemFailures: [{ itemIdentifier: 'x' }] }, items],
    ['an empty identifier fails all', { batchItemFailures: [{ itemIdentifier: '' }] }, items],
    ['a wrong member fails all', { batchItemFailures: [{ messageId: 'a' }] }, items],
    ['text fails all', 'done', items],
  ])('%s', (_, payload, failed) => {
    expect(failedItems(payload, items, true)).toEqual(failed);
  });

  test('are ignored by a mapping that does not report them', () => {
    expect(failedItems({ batchItemFailures: [{ itemIdentifier: 'a' }] }, items, false)).toEqual([]);
  });
});
