import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { readEnvironment } from '#shared/triggers/environment.ts';
import {
  LIVE_CARRIER_SECRET_ID,
  SANDBOX_PHONE_PACE,
  SILENCE_SECONDS,
  TABLE_NAME,
} from '#shared/triggers/variables.ts';

const schema = z.object({ TABLE_NAME, SILENCE_SECONDS, SANDBOX_PHONE_PACE, LIVE_CARRIER_SECRET_ID });
const set = {
  TABLE_NAME: 'service',
  SILENCE_SECONDS: '9',
  SANDBOX_PHONE_PACE: '0.05',
  LIVE_CARRIER_SECRET_ID: '',
};

function read(variables: Record<string, string | undefined>) {
  for (const [name, value] of Object.entries({ ...set, ...variables })) vi.stubEnv(name, value);
  return readEnvironment(schema);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the environment of a function', () => {
  test("has exactly its manifest's variables, with their types", () => {
    expect(read({ OTHER: 'x' })).toEqual({ ...set, SILENCE_SECONDS: 9, SANDBOX_PHONE_PACE: 0.05 });
  });

  test.each([
    ['TABLE_NAME', undefined],
    ['SILENCE_SECONDS', undefined],
    ['SILENCE_SECONDS', ''],
    ['SILENCE_SECONDS', 'nine'],
    ['SANDBOX_PHONE_PACE', '1.5'],
  ])('fails at startup when %s is %j, and names it', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^environment variables .*: ${name} \\(`));
  });
});
