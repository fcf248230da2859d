import { servePublicFile } from '#shared/openapi/public-files.ts';
import { codeDirectory, readEnvironment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/open-api.ts';

const env = readEnvironment(manifest.environment);
const publicBaseUrl = env.PUBLIC_BASE_URL;
const directory = codeDirectory();

export const handler = rawEndpoint((request) => servePublicFile({ directory, publicBaseUrl }, request));
