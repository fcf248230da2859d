import { isAtHome } from '../wire.ts';
import { TwimlError, type Verb } from './twiml.ts';

/** A document may only send the sandbox to its own application: its callbacks and its one relay. */
export function checkHome(verbs: readonly Verb[], publicBaseUrl: string, relayUrl: string): void {
  for (const verb of verbs) {
    if (verb.verb === 'connect') {
      if (verb.relay.url !== relayUrl) throw new TwimlError('the relay is not the one of this application');
      checkCallback(verb.action, publicBaseUrl);
    }
    if (verb.verb === 'dial') checkCallback(verb.action, publicBaseUrl);
    if (verb.verb === 'start-recording') checkCallback(verb.recording.callback, publicBaseUrl);
  }
}

function checkCallback(url: string | null, publicBaseUrl: string): void {
  if (url !== null && !isAtHome(url, publicBaseUrl)) {
    throw new TwimlError('a callback leads away from the application');
  }
}
