import { createHash } from 'node:crypto';

/** The account and region that every local resource belongs to; the embedded servers use this account too. */
export const localAccountId = '000000000000';
export const localRegion = 'us-east-1';

/**
 * The name of a resource that the template does not name. On deployment it would end in random characters; here it is
 * the same on every start, so that stored data is found again.
 */
export function physicalName(stackName: string, logicalId: string, maxLength: number): string {
  const name = `${stackName}-${logicalId}`;
  if (name.length <= maxLength) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, maxLength - 9)}-${digest}`;
}

/** `CreatePatient` → `create-patient`: functions are spoken of by the name of their source file. */
export function kebabCase(logicalId: string): string {
  return logicalId
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

/** An identifier of API Gateway's shape that stays the same over restarts. */
export function gatewayId(logicalId: string): string {
  const digest = createHash('sha256').update(logicalId).digest();
  return digest.readBigUInt64BE().toString(36).padStart(10, '0').slice(-10);
}
