import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import { localRegion } from '../template/physical-names.ts';

/** A change of an item as Lambda writes it into the event. */
export interface StreamEventRecord {
  readonly sequenceNumber: string;
  readonly createdAt: Date;
  readonly event: Record<string, unknown>;
}

/**
 * The record as Lambda would pass it on; `null` if filtered out or without changes: DynamoDB creates no record of such
 * a write, while the embedded server does. Most records have no consumer, so the filter runs before the images are
 * parsed.
 */
export function streamEventRecord(
  record: _Record,
  streamArn: string,
  wants: (event: Record<string, unknown>) => boolean,
): StreamEventRecord | null {
  const change = record.dynamodb ?? {};
  const { Keys, OldImage: before, NewImage: after } = change;
  const sequenceNumber = String(change.SequenceNumber);
  const createdAt = change.ApproximateCreationDateTime ?? new Date();
  const eventWith = (images: Record<string, unknown>): Record<string, unknown> => ({
    // The embedded server's own id is the bare sequence number, which other tables' records have as well.
    eventID: createHash('md5').update(`${streamArn}/${sequenceNumber}`).digest('hex'),
    eventName: record.eventName,
    eventVersion: record.eventVersion ?? '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: localRegion,
    dynamodb: {
      ...images,
      ApproximateCreationDateTime: Math.floor(createdAt.getTime() / 1000),
      SequenceNumber: sequenceNumber,
      SizeBytes: change.SizeBytes,
      StreamViewType: change.StreamViewType,
    },
    ...(record.userIdentity === undefined
      ? {}
      : {
          userIdentity: {
            type: record.userIdentity.Type,
            principalId: record.userIdentity.PrincipalId,
          },
        }),
    eventSourceARN: streamArn,
  });
  const images = Object.entries({ Keys, NewImage: after, OldImage: before }).filter(
    ([, image]) => image !== undefined,
  );
  if (!wants(eventWith(Object.fromEntries(images)))) return null;
  if (record.eventName === 'MODIFY' && before !== undefined && isDeepStrictEqual(before, after)) return null;
  const event = eventWith(Object.fromEntries(images.map(([name, image]) => [name, jsonOf(image)])));
  return { sequenceNumber, createdAt, event };
}

/** Bytes travel in events as base64. */
function jsonOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, jsonOf(member)]));
}
