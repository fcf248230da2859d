const remedies = {
  region: 'Set AWS_REGION to the region of the stack, or AWS_PROFILE to a profile that has one.',
  none: 'Sign in (aws sso login) and set AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  expired: 'The credentials in the environment have expired: sign in again (aws sso login), or set new ones.',
  unknown:
    'AWS does not know the credentials in the environment: compare AWS_PROFILE, AWS_ACCESS_KEY_ID and its secret.',
  denied: 'Use credentials whose policies allow this.',
  nothingThere: 'Compare the name with the outputs of the stack, and AWS_REGION with its region.',
  unreachable: 'Compare AWS_REGION with the region of the stack, and check AWS_ENDPOINT_URL… if you set one.',
} as const;

/** By error name: of the AWS SDK, of services ("Common error types" in their references), and of Node's sockets. */
const remedyOf: Readonly<Record<string, keyof typeof remedies>> = {
  CredentialsProviderError: 'none',
  TokenProviderError: 'none',
  ExpiredToken: 'expired',
  ExpiredTokenException: 'expired',
  InvalidAccessKeyId: 'unknown',
  InvalidClientTokenId: 'unknown',
  InvalidSignatureException: 'unknown',
  SignatureDoesNotMatch: 'unknown',
  UnrecognizedClientException: 'unknown',
  AccessDenied: 'denied',
  AccessDeniedException: 'denied',
  NoSuchBucket: 'nothingThere',
  QueueDoesNotExist: 'nothingThere',
  ResourceNotFoundException: 'nothingThere',
  ECONNREFUSED: 'unreachable',
  ENOTFOUND: 'unreachable',
};

/** What to do when a request to AWS was not sent, was denied or did not arrive; null for any other error. */
export function awsRemedy(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // The SDK identifies this error only by its message.
  if (error.message === 'Region is missing') return remedies.region;
  const remedy = remedyOf[error.name] ?? ('code' in error ? remedyOf[String(error.code)] : undefined);
  return remedy === undefined ? null : remedies[remedy];
}
