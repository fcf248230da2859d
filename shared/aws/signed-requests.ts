import type { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';

/**
 * The parts of an AWS client's configuration that signing needs; the table's client has them, so no other client is
 * needed.
 */
export type SigningConfig = Pick<
  ConstructorParameters<typeof S3RequestPresigner>[0],
  'credentials' | 'region' | 'sha256'
>;

/** The domain of a region's endpoints: China has its own. */
export function awsDomain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}
