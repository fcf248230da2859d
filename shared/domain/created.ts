import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';

/** The response to every request that creates something. */
export const Created = z.object({ id: Uuid });
export type Created = z.infer<typeof Created>;
