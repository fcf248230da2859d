import { bundleFunctions } from './bundle.ts';
import { synthesize } from './synth.ts';

// What is deployed is always what the sources say: a stale bundle cannot slip through.
await bundleFunctions();
synthesize();
