import { SecretNotOpenedError } from '#shared/encryption/kms-envelope.ts';
import { AddressRefusedError } from './address.ts';

/** Node's codes for a missing response, in words for the endpoint's owner. */
const causes: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'name does not resolve'],
  ['EAI_AGAIN', 'name lookup failed'],
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection closed without a response'],
  ['EPIPE', 'connection closed without a response'],
  ['EHOSTUNREACH', 'address unreachable'],
  ['ENETUNREACH', 'address unreachable'],
  ['ETIMEDOUT', 'timeout while connecting'],
  ['ERR_SOCKET_CONNECTION_TIMEOUT', 'timeout while connecting'],
  ['EPROTO', 'TLS handshake failed'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate is from an unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'certificate is from an unknown authority, or its chain is incomplete'],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'certificate is from an unknown authority, or its chain is incomplete',
  ],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate is from an unknown authority, or its chain is incomplete'],
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ['CERT_NOT_YET_VALID', 'certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate is for another name'],
  ['HPE_HEADER_OVERFLOW', 'response headers are too large'],
]);

/**
 * Why an attempt got no response, in short and without the error's message, which may quote addresses and responses.
 */
export function failureCause(error: unknown): string {
  if (error instanceof AddressRefusedError) return 'address refused';
  if (error instanceof SecretNotOpenedError) return 'signing secret cannot be decrypted';
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timeout';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return causes.get(code) ?? `${familyOf(code)} (${code})`;
}

/** Prefixes of errors too numerous for words of their own: the HTTP parser's and OpenSSL's. */
function familyOf(code: string): string {
  if (code.startsWith('HPE_')) return 'response is not valid HTTP';
  if (code.startsWith('ERR_SSL_')) return 'TLS handshake failed';
  return 'connection failed';
}
