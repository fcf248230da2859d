import {
  type _Record,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
} from '@aws-sdk/client-dynamodb-streams';
import { expect, test } from 'vitest';
import { StreamReads } from '../../../../infra/local/event-sources/stream-reads.ts';

type Answer = () => { Records: _Record[]; NextShardIterator: string };

/** A client whose server responds by iterator, and the requested iterators. */
function clientOf(answers: Record<string, Answer>): { client: DynamoDBStreamsClient; asked: string[] } {
  const client = new DynamoDBStreamsClient({ region: 'eu-west-1' });
  const asked: string[] = [];
  client.middlewareStack.add(
    () => async (args) => {
      const iterator = String(Object(args.input).ShardIterator);
      asked.push(iterator);
      return { output: { $metadata: {}, ...answers[iterator]?.() }, response: {} };
    },
    { step: 'initialize', name: 'answer' },
  );
  return { client, asked };
}

const record = (id: string): _Record => ({ eventID: id, dynamodb: { SequenceNumber: id } });

test('consumers of a stream share its reads, concurrent or not', async () => {
  const { client, asked } = clientOf({
    first: () => ({ Records: [record('1'), record('2')], NextShardIterator: 'second' }),
    second: () => ({ Records: [record('3')], NextShardIterator: 'third' }),
  });
  const reads = new StreamReads(client);
  const follow = async (): Promise<(string | undefined)[]> => {
    const first = await reads.read('first');
    const second = await reads.read(first.NextShardIterator ?? '');
    return [...(first.Records ?? []), ...(second.Records ?? [])].map(({ eventID }) => eventID);
  };
  const all = [...(await Promise.all([follow(), follow()])), await follow()];
  expect(all).toEqual([
    ['1', '2', '3'],
    ['1', '2', '3'],
    ['1', '2', '3'],
  ]);
  expect(asked).toEqual(['first', 'second']);
});

test('a consumer from another position continues with shared reads', async () => {
  const { client, asked } = clientOf({
    first: () => ({ Records: [record('1'), record('2'), record('3')], NextShardIterator: 'own' }),
    second: () => ({ Records: [record('2')], NextShardIterator: 'third' }),
    third: () => ({ Records: [record('3')], NextShardIterator: 'fourth' }),
  });
  const reads = new StreamReads(client);
  await reads.read('second');
  const others = await reads.read('third');
  const own = await reads.read('first');
  expect(own).toEqual({ Records: [record('1'), record('2')], NextShardIterator: 'third' });
  expect(await reads.read('third')).toEqual(others);
  expect(asked).toEqual(['second', 'third', 'first']);
});

test('the end of a stream is read again', async () => {
  const records: _Record[] = [];
  const { client, asked } = clientOf({ end: () => ({ Records: [...records], NextShardIterator: 'end' }) });
  const reads = new StreamReads(client);
  expect((await reads.read('end')).Records).toEqual([]);
  records.push(record('1'));
  expect((await reads.read('end')).Records).toEqual([record('1')]);
  expect(asked).toEqual(['end', 'end']);
});

test('failed reads are repeated', async () => {
  let isExpired = true;
  const { client } = clientOf({
    place: () => {
      if (isExpired) throw new ExpiredIteratorException({ message: 'expired', $metadata: {} });
      return { Records: [record('1')], NextShardIterator: 'next' };
    },
  });
  const reads = new StreamReads(client);
  await expect(reads.read('place')).rejects.toThrow('expired');
  isExpired = false;
  expect((await reads.read('place')).Records).toEqual([record('1')]);
});

test('only the latest reads are cached', async () => {
  const places = Array.from({ length: 40 }, (_, place) => String(place));
  const { client, asked } = clientOf(
    Object.fromEntries(
      places.map((place) => [place, () => ({ Records: [record(place)], NextShardIterator: '' })]),
    ),
  );
  const reads = new StreamReads(client);
  for (const place of places) await reads.read(place);
  await reads.read('39');
  expect(asked).toEqual(places);
  await reads.read('0');
  expect(asked).toEqual([...places, '0']);
});
