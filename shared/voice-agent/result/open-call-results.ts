import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientLimits } from '#shared/aws/client-limits.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import { type Table, tableWith } from '#shared/table/client.ts';
import { loadCallResult } from './call-result.ts';

/**
 * Reads results with its own client, bundled separately, because the SDK refuses a client of another copy of itself;
 * the keys are the function's existing ones.
 */
export function openCallResults({
  name,
  projectKey,
}: Pick<Table, 'name' | 'projectKey'>): (callId: string) => Promise<CallResult | null> {
  const table = tableWith(name, new DynamoDBClient(clientLimits()), projectKey);
  return (callId) => loadCallResult(table, callId);
}
