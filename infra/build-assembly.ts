import * as z from 'zod/mini';
import { builtBundles } from './assembly.ts';
import { synthesize } from './synth.ts';

/* The build step of `assembly.ts`: `node build-assembly.ts <directory> <stage> <on|off>`. */

const [outDir, stage, sandboxPhone] = z
  .tuple([z.string(), z.enum(['dev', 'prod']), z.enum(['on', 'off'])])
  .parse(process.argv.slice(2));

synthesize({ outDir, stage, sandboxPhone, bundlesDir: await builtBundles() });
