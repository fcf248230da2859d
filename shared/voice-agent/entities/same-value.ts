import type { Entity } from './entity.ts';
import { tokenize } from './tokens.ts';

/* Values compared in any notation. */

export function isSameValue({ value }: Entity, other: string | number): boolean {
  return plainValue(value) === plainValue(other);
}

/** A value to compare by, in any notation. */
export function plainValue(value: Entity['value'] | number): string {
  return String(simple(value))
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]/g, '');
}

function simple(value: Entity['value'] | number): string | number {
  if (typeof value !== 'object') return value;
  if ('day' in value) return value.day;
  return 'value' in value ? value.value : JSON.stringify(value);
}

/** "Standard 400": a number that names no kind of value. */
export function isBareNumber({ text }: Entity): boolean {
  return tokenize(text).every(({ kind }) => kind === 'number');
}

/** How the value differs: the same digits in another order, one digit, or by how much. */
export function differenceOf(value: Entity, old: string | number): string {
  const [one, other] = [plainValue(value.value), plainValue(old)];
  const digits = (text: string): string => [...text.replaceAll(/\D/g, '')].sort().join('');
  if (digits(one) === digits(other)) return 'turned';
  const differing = [...one].filter((character, at) => character !== other[at]).length;
  if (one.length === other.length && differing === 1) return 'digit';
  const [a, b] = [Number(one), Number(other)];
  if (!(a > 0 && b > 0)) return one.length === other.length ? 'alike' : 'unlike';
  const ratio = Math.abs(Math.log(a / b));
  return ratio < 0.7 ? 'close' : ratio < 1.5 ? 'apart' : 'far';
}
