import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ProjectKey, projectKeyOf, rememberedProjectKeys } from '#shared/encryption/project-key.ts';

const key = projectKeyOf('p', randomBytes(32), 'arn:aws:kms:us-east-1:111122223333:key/k');

describe('the key of a project', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is requested once in five minutes', async () => {
    const find = vi.fn(async (): Promise<ProjectKey | null> => key);
    const remembered = rememberedProjectKeys(find);
    expect(await Promise.all([remembered('p'), remembered('p')])).toEqual([key, key]);
    vi.advanceTimersByTime(299_000);
    await remembered('p');
    expect(find).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2_000);
    await remembered('p');
    expect(find).toHaveBeenCalledTimes(2);
  });

  test('is requested again if a request hangs', async () => {
    const find = vi.fn(async (): Promise<ProjectKey | null> => key);
    find.mockImplementationOnce(() => new Promise(() => {}));
    const remembered = rememberedProjectKeys(find);
    void remembered('p');
    vi.advanceTimersByTime(6_000);
    expect(await remembered('p')).toBe(key);
  });
});
