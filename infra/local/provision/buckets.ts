import type { Deployment } from '../template/deployment.ts';
import { bucketName } from '../template/resource-types.ts';

/**
 * Creates the template's buckets; creating one that exists changes nothing. Versioning, encryption, lifecycle
 * and public access settings have no local effect: the embedded S3 keeps one version of an object, readable
 * on this machine.
 */
export async function provisionBuckets(deployment: Deployment, endpoint: string): Promise<void> {
  await Promise.all(
    deployment.ofType('AWS::S3::Bucket').map(async (resource) => {
      const name = bucketName(resource);
      const response = await fetch(`${endpoint}/${name}`, { method: 'PUT' });
      await response.arrayBuffer();
      if (!response.ok && response.status !== 409) {
        throw new Error(`the embedded S3 answered ${response.status} to creating bucket ${name}`);
      }
    }),
  );
}
