import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { LocalStackError } from '../local-stack-error.ts';

const manifestSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.optional(z.string()), packaging: z.optional(z.string()) }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

/**
 * Where the assets of a cloud assembly are on this machine, by the object key under which they would be uploaded and
 * which the template names.
 */
export async function readAssets(assemblyDir: string): Promise<Map<string, string>> {
  const assets = new Map<string, string>();
  for (const file of await readdir(assemblyDir)) {
    if (!file.endsWith('.assets.json')) continue;
    const manifest = manifestSchema.safeParse(JSON.parse(await readFile(join(assemblyDir, file), 'utf8')));
    if (!manifest.success) {
      throw new LocalStackError(`${join(assemblyDir, file)} is not a manifest of assets`);
    }
    for (const { source, destinations } of Object.values(manifest.data.files)) {
      if (source.path === undefined) continue;
      for (const { objectKey } of Object.values(destinations)) {
        assets.set(objectKey, resolve(assemblyDir, source.path));
      }
    }
  }
  return assets;
}
