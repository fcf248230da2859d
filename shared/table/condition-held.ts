import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Whether the condition of a write held. Rethrows other failures. */
export async function conditionHeld(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
