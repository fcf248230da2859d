import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { CarrierName } from '#shared/domain/project.ts';

/*
 * `vat_test_` or `vat_live_`, 256 random bits, a checksum. The prefix lets secret scanners and people recognize a key;
 * the checksum lets the service refuse a mistyped or truncated one without a table read.
 */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretBytes = 32;
/** 62^43 is the first power of 62 above 2^256. */
const secretLength = 43;
/** 62^6 is the first power of 62 above 2^32. */
const checksumLength = 6;
const keyPattern = new RegExp(
  `^(vat_(?:test|live)_[0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

const prefixes: Record<CarrierName, string> = { sandbox: 'vat_test_', live: 'vat_live_' };

/** A new key for a project with this `carrier`; the whole key exists only here. */
export function generateApiKey(carrier: CarrierName, random: Uint8Array = randomBytes(secretBytes)): string {
  const unchecked = `${prefixes[carrier]}${base62(random, secretLength)}`;
  return `${unchecked}${checksum(unchecked)}`;
}

/** False for anything that cannot be a key of this service, which saves the lookup. */
export function isWellFormedApiKey(text: string): boolean {
  const [, unchecked, presented] = keyPattern.exec(text) ?? [];
  return unchecked !== undefined && presented === checksum(unchecked);
}

/** The stored form of a key. It has 256 random bits, so a plain hash suffices: there is nothing to guess. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The part shown in lists: the prefix and four characters. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, prefixes.sandbox.length + 4);
}

function checksum(unchecked: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(unchecked));
  return base62(bytes, checksumLength);
}

function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  while (digits.length < length) {
    digits = `${alphabet.charAt(Number(rest % 62n))}${digits}`;
    rest /= 62n;
  }
  return digits;
}
