import { SecretNotOpenedError } from '#shared/encryption/kms-envelope.ts';
import { AddressRefusedError } from './address.ts';

/** What Node calls the ways in which no answer comes, in the words that the owner of the endpoint reads. */
const causes: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'name does not resolve'],
  ['EAI_AGAIN', 'name cannot be looked up at present'],
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection closed without an answer'],
  ['EPIPE', 'connection closed without an answer'],
  ['EHOSTUNREACH', 'address cannot be reached'],
  ['ENETUNREACH', 'address cannot be reached'],
  ['ETIMEDOUT', 'timeout while connecting'],
  ['ERR_SOCKET_CONNECTION_TIMEOUT', 'timeout while connecting'],
  ['EPROTO', 'TLS handshake failed'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate is of an unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'certificate is of an unknown authority, or its chain is incomplete'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate is of an unknown authority, or its chain is incomplete'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate is of an unknown authority, or its chain is incomplete'],
  ['CERT_HAS_EXPIRED', 'certificate has expired'],
  ['CERT_NOT_YET_VALID', 'certificate is not valid yet'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate is for another name'],
  ['HPE_HEADER_OVERFLOW', 'head of the answer is too large'],
]);

/** Why no answer came to an attempt, short and without the error's message, which may quote addresses and answers. */
export function failureCause(error: unknown): string {
  if (error instanceof AddressRefusedError) return 'address refused';
  if (error instanceof SecretNotOpenedError) return 'signing secret cannot be opened';
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'timeout';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return causes.get(code) ?? `${familyOf(code)} (${code})`;
}

/** What is common to errors that are too many to have words of their own: those of the HTTP parser and of OpenSSL. */
function familyOf(code: string): string {
  if (code.startsWith('HPE_')) return 'answer is not proper HTTP';
  if (code.startsWith('ERR_SSL_')) return 'TLS handshake failed';
  return 'connection failed';
}
