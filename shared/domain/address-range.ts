import { BlockList, isIP } from 'node:net';
import * as z from 'zod/mini';

/**
 * An IP address, or a range of them in CIDR notation (RFC 4632): `192.0.2.7`, `198.51.100.0/24`,
 * `2001:db8::/32`.
 */
export const AddressRange = z.string().check(
  z.maxLength(49),
  z.refine((text) => parsed(text) !== null, 'must be an IP address or a range such as 198.51.100.0/24'),
);

/** Whether an address is in one of the ranges. An invalid address is in none. */
export function isWithin(ranges: readonly string[], address: string): boolean {
  const family = familyOf(address);
  if (family === null) return false;
  const list = new BlockList();
  for (const range of ranges.flatMap((text) => parsed(text) ?? [])) {
    list.addSubnet(range.address, range.bits, range.family);
  }
  return list.check(address, family);
}

type Family = 'ipv4' | 'ipv6';

function parsed(
  text: string,
): { readonly address: string; readonly bits: number; readonly family: Family } | null {
  const [, address = '', bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = familyOf(address);
  if (family === null) return null;
  const most = family === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? most : Number(bits);
  return length <= most ? { address, bits: length, family } : null;
}

function familyOf(address: string): Family | null {
  switch (isIP(address)) {
    case 4:
      return 'ipv4';
    case 6:
      return 'ipv6';
    default:
      return null;
  }
}
