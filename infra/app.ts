import { bundleFunctions } from './bundle.ts';
import { synthesize } from './synth.ts';

// Bundles first, so that what is deployed always matches the sources.
await bundleFunctions();
synthesize();
