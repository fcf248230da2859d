import { randomBytes } from 'node:crypto';
import type { LocalKey } from '../servers/kms-server.ts';
import type { StackState } from '../stack-state.ts';
import type { Deployment } from '../template/deployment.ts';
import { keyArn, keyId } from '../template/resource-types.ts';

const keyBytes = 32;

/**
 * The template's keys with their material, which is made once and kept: what it has sealed must open after a
 * restart.
 */
export function provisionKeys(deployment: Deployment, state: StackState): LocalKey[] {
  return deployment.ofType('AWS::KMS::Key').map((resource) => {
    const id = keyId(resource);
    return { id, arn: keyArn(id), material: materialOf(id, state) };
  });
}

function materialOf(id: string, state: StackState): Buffer {
  const name = `kms-key/${id}`;
  const kept = state.secret(name);
  if (kept !== null) return Buffer.from(kept, 'base64');
  const material = randomBytes(keyBytes);
  state.saveSecret(name, material.toString('base64'));
  return material;
}
