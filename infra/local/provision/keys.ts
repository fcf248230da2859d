import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { LocalKey, LocalKeys } from '../servers/kms-server.ts';
import type { StackState } from '../stack-state.ts';
import type { Deployment } from '../template/deployment.ts';
import { keyArn, keyId } from '../template/resource-types.ts';

const keyBytes = 32;

/**
 * The template's keys with their material, and those the service creates. They are kept across restarts: what they
 * sealed must still open.
 */
export function provisionKeys(deployment: Deployment, state: StackState): LocalKeys {
  const ofTemplate = new Map(
    deployment.ofType('AWS::KMS::Key').map((resource) => {
      const id = keyId(resource);
      return [id, { id, arn: keyArn(id), material: materialOf(id, state) }];
    }),
  );
  return {
    find: (id) => ofTemplate.get(id) ?? createdKey(id, state),
    put: ({ id, material, tags = {}, isPendingDeletion = false }) => {
      const kept = { material: material.toString('base64'), tags, isPendingDeletion };
      state.saveSecret(createdName(id), JSON.stringify(kept));
    },
  };
}

const KeptKey = z.object({
  material: z.base64(),
  tags: z.record(z.string(), z.string()),
  isPendingDeletion: z.boolean(),
});
const createdName = (id: string): string => `kms-created-key/${id}`;

function createdKey(id: string, state: StackState): LocalKey | undefined {
  const kept = state.secret(createdName(id));
  if (kept === null) return undefined;
  const { material, ...rest } = KeptKey.parse(JSON.parse(kept));
  return { id, arn: keyArn(id), material: Buffer.from(material, 'base64'), ...rest };
}

function materialOf(id: string, state: StackState): Buffer {
  const name = `kms-key/${id}`;
  const kept = state.secret(name);
  if (kept !== null) return Buffer.from(kept, 'base64');
  const material = randomBytes(keyBytes);
  state.saveSecret(name, material.toString('base64'));
  return material;
}
