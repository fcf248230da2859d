import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { createDashboard } from '#shared/dashboard/app.tsx';
import type { DashboardServices } from '#shared/dashboard/dashboard-services.ts';
import { type Links, linksBelow } from '#shared/dashboard/links.ts';
import { newFormToken } from '#shared/dashboard/session/form-token.ts';
import { tokenSealer } from '#shared/dashboard/session/sealed-token.ts';
import { newSession } from '#shared/dashboard/session/session.ts';
import type { Person } from '#shared/domain/person.ts';
import type { Table } from '#shared/table/client.ts';
import { type HttpHandler, rawEndpoint } from '#shared/triggers/http.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from './embedded-queues.ts';
import { startEmbeddedTable } from './embedded-table.ts';
import { projectServices } from './project-services.ts';

/** The dashboard as the gateway calls it, for signed-in people. */
export interface DashboardPages {
  /** Paths as the pages contain them, without scheme and host. */
  readonly links: Links;
  /**
   * @param form fields to send with the session's token; without them, the page is requested
   * @param cookie in addition to the session's
   */
  ask(
    person: Person,
    address: string,
    form?: Readonly<Record<string, string | readonly string[]>>,
    cookie?: string,
  ): Promise<APIGatewayProxyResult>;
  /** Sends a form and opens the page that the response redirects to, if any, as browsers do. */
  send(
    person: Person,
    address: string,
    form: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<APIGatewayProxyResult>;
}

/** What pages are made from; tests have defaults for the rest. */
type PageServices = Omit<
  DashboardServices,
  | 'publicBaseUrl'
  | 'bucket'
  | 'hasSandboxPhone'
  | 'erasureQueue'
  | 'links'
  | 'sealer'
  | 'signIn'
  | 'sendsMail'
> &
  Partial<Pick<DashboardServices, 'hasSandboxPhone' | 'erasureQueue' | 'sendsMail'>>;

/** The dashboard on its own embedded table, queues and buckets. */
export interface EmbeddedDashboard {
  readonly table: Table;
  /** With the queues `deliveries`, `calls` and `erasures`. */
  readonly queues: EmbeddedQueues;
  readonly services: PageServices;
  readonly pages: DashboardPages;
  stop(): Promise<void>;
}

export async function startEmbeddedDashboard(): Promise<EmbeddedDashboard> {
  const [embedded, queues] = await Promise.all([startEmbeddedTable(), startEmbeddedQueues()]);
  const { table } = embedded;
  const queueOf = (name: string) => ({ url: queues.createQueue(name), client: queues.sqs });
  const services: PageServices = {
    ...projectServices(table),
    queue: queueOf('deliveries'),
    callQueue: queueOf('calls'),
    erasureQueue: queueOf('erasures'),
  };
  return {
    table,
    queues,
    services,
    pages: openDashboardPages(services),
    async stop() {
      await Promise.all([embedded.stop(), queues.stop()]);
    },
  };
}

const publicBaseUrl = 'https://api.example.test';

/** As a browser sends it: a field with several values is repeated. */
function encoded(form: Readonly<Record<string, string | readonly string[]>>): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) {
    for (const one of [value].flat()) fields.append(name, one);
  }
  return fields.toString();
}

export function openDashboardPages(services: PageServices): DashboardPages {
  const key = randomBytes(32);
  const sealer = tokenSealer(async () => key);
  const links = linksBelow(publicBaseUrl);
  const handler = rawEndpoint(
    createDashboard({
      hasSandboxPhone: true,
      sendsMail: false,
      erasureQueue: services.callQueue,
      ...services,
      publicBaseUrl,
      bucket: 'recordings',
      links,
      sealer,
      signIn: {
        begin: () => Promise.reject(new Error('nobody signs in here')),
        finish: () => Promise.reject(new Error('nobody signs in here')),
        endAddress: async () => null,
      },
    }),
  );
  const pages: DashboardPages = {
    links,
    async send(person, address, form) {
      const answer = await pages.ask(person, address, form);
      return answer.statusCode === 303 ? pages.ask(person, String(answer.headers?.location)) : answer;
    },
    async ask(person, address, form, cookie) {
      const url = new URL(address, publicBaseUrl);
      const session = await newSession(services.table, person, services.now?.() ?? new Date());
      const formToken = await newFormToken(sealer, person);
      const headers = {
        cookie: [`__Host-vat_session=${session}`, cookie ?? []].flat().join('; '),
        origin: publicBaseUrl,
        'content-type': 'application/x-www-form-urlencoded',
      };
      const event: Partial<Parameters<HttpHandler>[0]> = {
        httpMethod: form === undefined ? 'GET' : 'POST',
        resource: '/dashboard/{proxy+}',
        path: url.pathname,
        pathParameters: { proxy: url.pathname.slice('/dashboard/'.length) },
        multiValueQueryStringParameters: Object.fromEntries(
          [...url.searchParams].map(([name, value]) => [name, [value]]),
        ),
        multiValueHeaders: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, [value]]),
        ),
        body: form === undefined ? null : encoded({ form_token: formToken, ...form }),
        isBase64Encoded: false,
      };
      return handler(
        { ...event, requestContext: { requestId: 'request-1' } } as Parameters<HttpHandler>[0],
        {} as Parameters<HttpHandler>[1],
      );
    },
  };
  return pages;
}
