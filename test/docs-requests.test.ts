import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { WebhookEvent } from '#shared/domain/webhook.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operations } from '../infra/routes.ts';

/** The requests that the pages show, held to the operations that there are. */

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = ['README.md', ...readdirSync(`${root}/docs`).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);
const anyId = '01a1fc97-5939-7d04-b5c3-48bad54457cb';

interface ShownRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string | null;
  /** The JSON that stands below it, as far as there is any. */
  readonly answer: string | null;
}

/** The words of a shell command that begins the text, as far as the pages use the shell. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let [word, quote] = ['', ''];
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at);
    const [variable] = (quote !== "'" && /^\$[A-Z_]+/.exec(text.slice(at))) || [];
    if (variable !== undefined) {
      word += variable.startsWith('$BASE') ? 'http://127.0.0.1' : anyId;
      at += variable.length - 1;
    } else if (mark === quote) quote = '';
    else if (quote === '' && (mark === "'" || mark === '"')) quote = mark;
    else if (quote === '' && mark === '\n') break;
    else if (quote === '' && mark === ' ') {
      words.push(word);
      word = '';
    } else word += mark;
  }
  return [...words, word].filter((one) => one !== '');
}

function requestsOf(page: string): ShownRequest[] {
  const text = readFileSync(`${root}/${page}`, 'utf8');
  return [...text.matchAll(/```sh\n(.*?)```(?:\n+```json\n(.*?)```)?/gs)].flatMap(([, block = '', json]) =>
    [...block.matchAll(/^curl .*/gms)].flatMap(([command]) => {
      const words = wordsOf(command);
      const body = words[words.indexOf('-d') + 1];
      const hasBody = words.includes('-d');
      const address = words.find((word) => word.startsWith('http'));
      if (address === undefined) return [];
      const method = hasBody ? 'POST' : 'GET';
      return [{ method, url: new URL(address), body: hasBody ? (body ?? '') : null, answer: json ?? null }];
    }),
  );
}

function operationOf({ method, url }: ShownRequest): Operation | undefined {
  return Object.values(operations).find(
    (one) =>
      one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname),
  );
}

/** Identifiers are shortened in what is shown. */
function whole(json: string): unknown {
  return JSON.parse(json.replaceAll(/"[0-9a-f-]+…"/g, `"${anyId}"`));
}

const shown = pages.flatMap((page) => requestsOf(page).map((request) => ({ page, request })));
const described = shown.filter(({ request }) => request.url.pathname !== '/openapi.json');

test('the requests in the docs', () => {
  const api = shown.filter(({ page }) => page === 'docs/api.md').map(({ request }) => request);
  expect(api.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual(
    expect.arrayContaining([
      'POST /v1/task/batch',
      'POST /v1/task?dry_run=true',
      `POST /admin/projects/${anyId}/webhooks`,
      `GET /admin/projects/${anyId}/usage?from=2026-11-20&to=2026-11-20`,
    ]),
  );
});

describe.each(described)('$page: $request.method $request.url', ({ page, request }) => {
  const operation = operationOf(request);

  test('matches a route of the service, with a valid body and parameters', () => {
    expect(operation).toBeDefined();
    const known = [
      ...(operation?.query?.map(({ name }) => name) ?? []),
      ...(operation?.dryRun === undefined ? [] : ['dry_run']),
    ];
    expect([...request.url.searchParams.keys()].filter((name) => !known.includes(name))).toEqual([]);
    if (request.body === null) return;
    const sent = JSON.parse(request.body);
    expect(operation?.body?.schema.safeParse(sent)).toMatchObject({ success: true, data: sent });
  });

  // The README shows answers in part only.
  if (page !== 'docs/api.md' || request.answer === null) return;
  const answer = whole(request.answer);
  test('returns the response that the page shows', () => {
    const isDryRun = request.url.searchParams.get('dry_run') === 'true';
    const schema = isDryRun ? operation?.dryRun?.schema : operation?.success.schema;
    expect(schema?.safeParse(answer)).toEqual({ success: true, data: answer });
  });
});

test('the example event has the members of real events', () => {
  const text = readFileSync(`${root}/docs/api.md`, 'utf8');
  const [, json = ''] = /```json\n(\{"event".*?)```/s.exec(text) ?? [];
  const { sequence, ...event } = whole(json) as Record<string, unknown>;
  expect(WebhookEvent.parse(event)).toEqual(event);
  expect(sequence).toEqual(expect.any(Number));
});
