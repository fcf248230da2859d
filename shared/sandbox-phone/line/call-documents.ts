import type { SandboxCall } from '../store/sandbox-call.ts';
import { checkHome } from './home.ts';
import type { LineServices } from './line-services.ts';
import { sendSigned } from './outgoing-request.ts';
import { callParameters } from './status-reporter.ts';
import { parseTwiml, TwimlError, type Verb } from './twiml.ts';

/** What the carrier reads as a document (twilio.com/docs/api/twiml/your_response); other types it plays, or refuses. */
const documentTypes: ReadonlySet<string> = new Set(['text/xml', 'application/xml', 'text/html']);

/** The TwiML documents of a call. Every method throws a `TwimlError` when there is none. */
export class CallDocuments {
  readonly #services: Pick<LineServices, 'authToken' | 'publicBaseUrl' | 'relayUrl'>;

  constructor(services: Pick<LineServices, 'authToken' | 'publicBaseUrl' | 'relayUrl'>) {
    this.#services = services;
  }

  /** For a call that has been answered. */
  async answer(call: SandboxCall): Promise<Verb[]> {
    const { url, url_method, fallback_url, twiml, direction } = call;
    if (url === null) return this.#read(twiml ?? '');
    const form = callParameters(call, direction === 'inbound' ? 'ringing' : 'in-progress');
    try {
      return await this.fetch(url, url_method, form);
    } catch (error) {
      if (!(error instanceof TwimlError) || fallback_url === null) throw error;
      return this.fetch(fallback_url, 'POST', { ...form, ErrorUrl: url });
    }
  }

  async fetch(url: string, method: 'GET' | 'POST', form: Record<string, string>): Promise<Verb[]> {
    const outcome = await sendSigned({ url, method, form, authToken: this.#services.authToken });
    if (outcome.kind !== 'answered') throw new TwimlError(`no document arrived (${outcome.kind})`);
    if (outcome.status !== 200) {
      throw new TwimlError(`the request for a document was answered with ${outcome.status}`);
    }
    if (!documentTypes.has(outcome.contentType)) {
      throw new TwimlError('the response has no content type of a document (12300)');
    }
    return this.#read(outcome.body);
  }

  #read(xml: string): Verb[] {
    const verbs = parseTwiml(xml);
    checkHome(verbs, this.#services.publicBaseUrl, this.#services.relayUrl);
    return verbs;
  }
}
