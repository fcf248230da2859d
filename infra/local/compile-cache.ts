import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Preloaded (`--import`), because modules are compiled before the first of them runs. Node 22.0 does not have it yet.
module.enableCompileCache?.(fileURLToPath(new URL('../../.build/compile-cache', import.meta.url)));
