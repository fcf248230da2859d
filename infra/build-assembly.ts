import * as z from 'zod/mini';
import { builtBundles } from './assembly.ts';

/* The build step of `assembly.ts`: `node build-assembly.ts <directory> <stage> <on|off>`. */

const [outDir, stage, sandboxPhone] = z
  .tuple([z.string(), z.enum(['dev', 'prod']), z.enum(['on', 'off'])])
  .parse(process.argv.slice(2));

// The CDK is loaded while the compiler, a process of its own, works.
const [bundlesDir, { synthesize }] = await Promise.all([builtBundles(), import('./synth.ts')]);
synthesize({ outDir, stage, sandboxPhone, bundlesDir });
