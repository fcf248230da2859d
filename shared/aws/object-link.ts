import { objectUrl, presignGet } from './presign.ts';
import type { SigningConfig } from './signed-requests.ts';

/** Long enough to begin a download, short enough that a leaked link is soon useless. */
const lifetimeSeconds = 300;

/**
 * A temporary URL of an object in a bucket.
 *
 * @param config of any AWS client of the function
 */
export async function objectLink(
  config: SigningConfig & { readonly region: () => Promise<string> },
  bucket: string,
  key: string,
  { fileName }: { readonly fileName?: string | undefined } = {},
): Promise<string> {
  return presignGet(objectUrl(bucket, key, await config.region()), config, { lifetimeSeconds, fileName });
}
