import { isKey, type LocalKeys, usableKey } from './kms-server.ts';

/*
 * SSE-KMS for the embedded S3 ("Using server-side encryption with AWS KMS keys" in the Amazon S3 User Guide): it
 * stores objects in the clear, with their key as metadata, and refuses them if that key is unusable.
 */

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const keyHeader = 'x-amz-server-side-encryption-aws-kms-key-id';
const methodHeader = 'x-amz-server-side-encryption';
const storedHeader = 'x-amz-meta-local-stack-kms-key';

export interface ObjectError {
  readonly status: 400;
  readonly code: string;
  readonly message: string;
}

/** The headers of a request to S3 by which the embedded one keeps the object's key. */
export function rememberingKey<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> {
  const { [keyHeader]: arn } = headers;
  return arn === undefined ? { ...headers } : { ...headers, [storedHeader]: arn };
}

/**
 * Why S3 does not encrypt or decrypt an object, or null when it does: a copy of the key's own error.
 *
 * @param headers of a request that stores an object, or of the answer to one that reads it
 */
export function objectKeyError(headers: Headers, keys: LocalKeys): ObjectError | null {
  const arn = headers[storedHeader] ?? headers[keyHeader];
  if (typeof arn !== 'string') return null;
  const key = usableKey(keys, arn);
  return isKey(key)
    ? null
    : { status: 400, code: `KMS.${key.body.__type}`, message: String(key.body.message) };
}

/** The headers of an answer as S3 gives them: with the object's key as its key, and not as metadata. */
export function tellingKey(headers: Headers): Headers {
  const { [storedHeader]: arn, ...others } = headers;
  return arn === undefined ? headers : { ...others, [methodHeader]: 'aws:kms', [keyHeader]: arn };
}
