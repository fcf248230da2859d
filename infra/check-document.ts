import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { type Audience, openApiDocument } from '../shared/openapi/document.ts';
import { withServer } from '../shared/openapi/with-server.ts';
import { operations } from './routes.ts';

/*
 * Lints the OpenAPI documents with Redocly (recommended-strict) and Spectral (spectral:oas). Part of `npm run lint`;
 * exits with 1 on any finding.
 */

async function redocly(document: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // Recordings are served by a redirect.
      'operation-2xx-response': 'off',
      // The rule does not follow references in extensions such as the dry run's; Spectral does.
      'no-unused-components': 'off',
      // `/v1/task/batch/{batch_id}` does not clash with `/v1/task/{task_id}`: a literal segment takes precedence over
      // a parameter.
      'no-ambiguous-paths': 'off',
    },
  });
  const problems = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => {
    const [place] = location;
    return `redocly ${ruleId}: ${message} ${place !== undefined && 'pointer' in place ? place.pointer : ''}`;
  });
}

async function spectral(document: string): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset(new spectralCore.Ruleset({ extends: [spectralRulesets.oas] }));
  const problems = await linter.run(document);
  return problems.map(({ code, message, path }) => `spectral ${code}: ${message} ${path.join('/')}`);
}

for (const audience of ['clients', 'people'] satisfies Audience[]) {
  const document = JSON.stringify(
    withServer(openApiDocument(operations, audience), 'https://calls.voice-agent.test'),
  );
  for (const finding of [...(await redocly(document)), ...(await spectral(document))]) {
    console.error(`for ${audience}: ${finding}`);
    process.exitCode = 1;
  }
}
