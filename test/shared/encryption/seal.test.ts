import { describe, expect, test } from 'vitest';
import { projectKeyOf } from '#shared/encryption/project-key.ts';
import { isSealed, open, seal } from '#shared/encryption/seal.ts';

const projectId = '01890a5d-ac96-774b-bcce-b302099a8057';
const key = projectKeyOf(projectId, Buffer.alloc(32, 1), 'arn:aws:kms:us-east-1:111122223333:key/one');
const place = { pk: 'CALL#1', sk: 'CONVERSATION', attribute: 'packed' };
const long = { summary: 'The appointment is booked. '.repeat(30) };
const fromBase64 = (text: string): Uint8Array => Buffer.from(text, 'base64');

describe('a long value', () => {
  test('opens as sealed, and takes little space', () => {
    const conversation = {
      record: { answers: [], disclosures: [], person_name: null, follow_ups: [], obstacle: null },
      progress: { turns: 2, stalled: 0, misheard: 0, turned_away: 0, again: 0 },
      scheduling: { day: null, turned_down: [], chosen: null, booked: false, read_back: false },
      last_words: [{ text: 'Have I reached the clinic?'.repeat(10), fields: [], kind: 'reach' }],
    };
    const sealed = seal(key, place, conversation);
    expect(isSealed(sealed)).toBe(true);
    expect(open(key, place, sealed)).toEqual(conversation);
    expect(sealed.byteLength).toBeLessThan(JSON.stringify(conversation).length / 4);
  });

  test('of every version opens: its dictionary never changes', () => {
    const stored = 'FwGJCl2slndLvM6zAgmagFctPosrCwJt6JnWtNVXRFVN6swJJJ50WdkCclMs7hG4yS7Bi1gCkBJ96A8uubKEg+o=';
    expect(open(key, place, fromBase64(stored))).toEqual(long);
    expect(Buffer.from(seal(key, place, long)).toString('base64')).toBe(stored);
  });

  test('from before the dictionary opens', () => {
    const stored =
      'BwGJCl2slndLvM6zAgmagFcYegIbm1XVvsQgauedtT1lLN20ftbCGJPjFpz2PGrS' +
      'Bgvq35GGDT9I8WoyGSlfsp0Jk1Eq5UD5DLyIVzTBGM8rF01Eg6/QHCFHunzE2qv3';
    expect(open(key, place, fromBase64(stored))).toEqual(long);
  });

  test('does not open in another place or format', () => {
    const sealed = seal(key, place, long);
    expect(() => open(key, { ...place, sk: 'OTHER' }, sealed)).toThrow();
    const other = Buffer.from(sealed);
    other[0] = 0x07;
    expect(() => open(key, place, other)).toThrow();
  });
});
