import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type PutItemCommandInput,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';

type Item = Record<string, AttributeValue>;

/** The relevant members of a plain write. */
type Write = Partial<PutItemCommandInput & UpdateItemCommandInput>;

/**
 * Recognizes a plain write that an earlier try of the same request made when only its response was lost: its condition
 * fails on retry although no one else wrote. Transactions do not need this: they carry a token.
 */
export function recognizeOwnWrites({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      if (!('ConditionExpression' in args.input)) return next(args);
      return next({ ...args, input: { ...args.input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } });
    },
    { step: 'initialize', name: 'askForOwnWrites', override: true },
  );
  middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException) || !isRepeated(error)) throw error;
        if (!('ConditionExpression' in args.input && isMade(args.input, error.Item))) throw error;
        return { response: error.$response, output: { $metadata: error.$metadata } };
      }
    },
    // Wraps all tries, with the input as sent.
    { step: 'serialize', priority: 'low', name: 'recognizeOwnWrites', override: true },
  );
}

function isRepeated({ $metadata: { attempts = 1 } }: ConditionalCheckFailedException): boolean {
  return attempts > 1;
}

/** Whether the stored item equals the result of the write. False if unknown. */
function isMade(write: Write, stored: Item | undefined): boolean {
  if (write.ReturnValues !== undefined) return false;
  if (write.Item !== undefined) return isSame(write.Item, stored);
  if (write.UpdateExpression === undefined) return stored === undefined;
  return stored !== undefined && isUpdated(write, write.UpdateExpression, stored);
}

/** Supports updates that set and remove attributes; the result of others is unknown. */
function isUpdated(write: Write, expression: string, stored: Item): boolean {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = write;
  const nameOf = (path: string): string => names[path] ?? path;
  const [, set = '', removed = ''] = /^(?:SET (.+?))?(?: ?REMOVE (.+))?$/.exec(expression) ?? [];
  const assignments = set === '' ? [] : set.split(', ').map((assignment) => assignment.split(' = '));
  const gone = removed === '' ? [] : removed.split(', ');
  return (
    assignments.length + gone.length > 0 &&
    assignments.every(([path = '', value = '']) => isSame(values[value], stored[nameOf(path)])) &&
    gone.every((path) => stored[nameOf(path)] === undefined)
  );
}

function isSame(written: unknown, stored: unknown): boolean {
  return written !== undefined && isDeepStrictEqual(plain(written), plain(stored));
}

/** Bytes of any class as text. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
