import { createCipheriv, createDecipheriv } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { commonText } from './common-text.ts';
import { nonceFor, type ProjectKey } from './project-key.ts';

/*
 * Sealed values: form, project, nonce, tag, text. The text is deflated JSON under AES-256-GCM. No deflated value
 * starts with one of these forms: their lowest three bits are a block type that does not exist (RFC 1951, 3.2.3).
 */
const forms = { own: 0x07, searchable: 0x0f, long: 0x17 } as const;
/** Long values are deflated with a dictionary. It saves nothing billable on shorter ones. */
const longFromCharacters = 512;
const dictionary = Buffer.from(commonText);
/** Lists open thousands of short values: the 16 KB that zlib reserves by default would cost more than opening one. */
const shortText = { chunkSize: 1024 };
const projectAt = 1;
const nonceAt = projectAt + 16;
const tagAt = nonceAt + 12;
const textAt = tagAt + 16;
const algorithm = 'aes-256-gcm';

/** Where a value is stored: it opens nowhere else. */
export interface SealPlace {
  readonly pk: string;
  readonly sk: string;
  readonly attribute: string;
}

/**
 * Seals a JSON value for its own place. The nonce is derived from place and text: the same value in the same place
 * seals alike, so its indexes are not rewritten.
 */
export function seal(key: ProjectKey, place: SealPlace, value: unknown): Uint8Array {
  const json = JSON.stringify(value);
  const isLong = json.length >= longFromCharacters;
  const form = isLong ? forms.long : forms.own;
  const text = deflateRawSync(json, isLong ? { dictionary } : {});
  const context = contextOf(form, place);
  return encrypt(key, form, context, nonceFor(key, context, text, tagAt - nonceAt), text);
}

/**
 * Seals a value so that equal values of a project's attribute stay equal: it can be looked up, and reveals
 * which items share it.
 */
export function sealSearchable(key: ProjectKey, attribute: string, value: unknown): Uint8Array {
  const text = deflateRawSync(JSON.stringify(value));
  return encrypt(key, forms.searchable, attribute, nonceFor(key, attribute, text, tagAt - nonceAt), text);
}

export function isSealed(value: unknown): value is Uint8Array {
  if (!(value instanceof Uint8Array) || value.byteLength < textAt) return false;
  return Object.values<number | undefined>(forms).includes(value[0]);
}

/** The project whose key opens a sealed value. */
export function projectOfSealed(sealed: Uint8Array): string {
  const hex = Buffer.from(sealed.subarray(projectAt, nonceAt)).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Throws when the value was changed or sealed for another place. */
export function open({ sealing }: ProjectKey, place: SealPlace, sealed: Uint8Array): unknown {
  const context = contextOf(sealed[0], place);
  const decipher = createDecipheriv(algorithm, sealing, sealed.subarray(nonceAt, tagAt))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(tagAt, textAt));
  const text = Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()]);
  const json = inflateRawSync(text, sealed[0] === forms.long ? { dictionary } : shortText);
  return JSON.parse(json.toString('utf8'));
}

function encrypt(
  { projectId, sealing }: ProjectKey,
  form: number,
  context: string,
  nonce: Uint8Array,
  text: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv(algorithm, sealing, nonce).setAAD(Buffer.from(context));
  const encrypted = [cipher.update(text), cipher.final()];
  const project = Buffer.from(projectId.replaceAll('-', ''), 'hex');
  return Buffer.concat([Buffer.of(form), project, nonce, cipher.getAuthTag(), ...encrypted]);
}

/** The place and form a value is bound to: moved or in another form, it does not open. */
function contextOf(form: number | undefined, { pk, sk, attribute }: SealPlace): string {
  if (form === forms.searchable) return attribute;
  return JSON.stringify([pk, sk, attribute, ...(form === forms.long ? ['long'] : [])]);
}
