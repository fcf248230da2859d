import twilio from 'twilio';
import { basicAuthorization } from './basic-authorization.ts';

/** What the library passes to its only hook. */
interface LibraryRequest {
  readonly method: string;
  readonly uri: string;
  readonly username?: string;
  readonly password?: string;
  readonly params?: Record<string, unknown>;
  readonly data?: Record<string, unknown>;
}

export interface Login {
  readonly accountSid: string;
  readonly user: string;
  readonly password: string;
}

/** The carrier's own library, with its requests redirected to another host. */
export type OfficialClient = ReturnType<typeof twilio>;

/** @param baseUrl replaces the carrier's host: an origin, with a path if the carrier's paths are below it */
export function officialClient(baseUrl: string, { accountSid, user, password }: Login): OfficialClient {
  const httpClient = {
    async request(request: LibraryRequest): Promise<{ statusCode: number; body: unknown; headers: object }> {
      const { pathname, search } = new URL(request.uri);
      const query = request.params === undefined ? search : `?${encoded(request.params)}`;
      const response = await fetch(`${baseUrl}${pathname}${query}`, {
        method: request.method.toUpperCase(),
        headers: basicAuthorization(request.username ?? '', request.password ?? ''),
        ...(request.data === undefined ? {} : { body: encoded(request.data) }),
      });
      const text = await response.text();
      return {
        statusCode: response.status,
        body: text === '' ? '' : JSON.parse(text),
        headers: Object.fromEntries(response.headers),
      };
    },
  };
  return twilio(user, password, { accountSid, httpClient: Object.assign(Object.create(null), httpClient) });
}

/** A recording's audio, fetched as the carrier's reference describes; the library has no call for it. */
export async function fetchSound(
  baseUrl: string,
  { accountSid, user, password }: Login,
  recordingSid: string,
  channels: 1 | 2,
): Promise<Buffer> {
  const redirect = await fetch(
    `${baseUrl}/2010-04-01/Accounts/${accountSid}/Recordings/${recordingSid}.wav?RequestedChannels=${channels}`,
    { headers: basicAuthorization(user, password), redirect: 'manual' },
  );
  const location = redirect.headers.get('location');
  if (redirect.status !== 302 || location === null) throw new Error(`no redirect: ${redirect.status}`);
  const sound = await fetch(location);
  if (!sound.ok) throw new Error(`no sound: ${sound.status}`);
  return Buffer.from(await sound.arrayBuffer());
}

/** Lists are sent as one member per value. */
function encoded(values: Record<string, unknown>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, String(one));
  }
  return form;
}
