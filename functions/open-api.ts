import { fallbackAnswer, fallbackAnswerPath } from '#shared/calls/carrier-events/fallback-answer.ts';
import { servePublicFile } from '#shared/openapi/public-files.ts';
import { codeDirectory, readEnvironment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/open-api.ts';

const env = readEnvironment(manifest.environment);
const publicBaseUrl = env.PUBLIC_BASE_URL;
const directory = codeDirectory();

/** Public, static responses: the OpenAPI documents, and the apology for a call that fails. */
export const handler = rawEndpoint(async (request) =>
  request.resource === fallbackAnswerPath
    ? { status: 200, headers: { 'Content-Type': 'text/xml' }, body: fallbackAnswer() }
    : servePublicFile({ directory, publicBaseUrl }, request),
);
