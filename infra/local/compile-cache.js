import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Preloaded (`--import`), because modules are compiled before the first of them runs. Plain JavaScript, because for one
// file whose types are not stripped yet each thread loads a compiler that takes 15 MB. Node 22.0 has no such cache yet.
module.enableCompileCache?.(fileURLToPath(new URL('../../.build/compile-cache', import.meta.url)));
