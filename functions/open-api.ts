import { answerPublicFile } from '#shared/openapi/public-files.ts';
import { codeDirectory, environment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';

const publicBaseUrl = environment('PUBLIC_BASE_URL');
const directory = codeDirectory();

export const handler = rawEndpoint((request) => answerPublicFile({ directory, publicBaseUrl }, request));
