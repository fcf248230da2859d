import { dataKeyOpener } from './kms-data-key.ts';

/** Decrypts data keys with the client of this process. */
export const openDataKeyByKms = dataKeyOpener();
