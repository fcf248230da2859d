import { type InboundRelayFrame, parseRelayFrame } from '#shared/carrier/relay-frames.ts';
import { verifySignature } from '#shared/carrier/signature.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { annotateLog, log } from '#shared/observability/log.ts';
import type { RelaySocketHandlers } from '#shared/triggers/websocket.ts';
import {
  answerWords,
  type ConversationServices,
  noteInterruption,
  noteKey,
  openConversation,
} from './converse.ts';

/** The voice agent's side of the carrier's relay: who may connect, and what each frame means for the conversation. */
export function relaySession(services: ConversationServices, relayUrl: string): RelaySocketHandlers {
  return {
    async connect({ headers }) {
      const authTokens = await services.authTokens();
      const signature = headers['x-twilio-signature'];
      // Nothing says whether the carrier signs a trailing slash; both addresses are ours.
      const isSigned = [relayUrl, toggleTrailingSlash(relayUrl)].some((url) =>
        verifySignature(authTokens, signature, url, []),
      );
      if (!isSigned) {
        annotateLog({ signature: 'refused' });
        throw new ServiceError('forbidden', 'Forbidden');
      }
    },
    async message({ connectionId, body }) {
      const parsed = parseRelayFrame(body);
      if (parsed.kind === 'frame') await dispatch(services, connectionId, parsed.frame);
      else log('relay-frame-ignored', { reason: parsed.kind });
    },
    async disconnect({ closeCode }) {
      // The carrier reports the end of the call by its callbacks; here is nothing to do.
      annotateLog({ close_code: closeCode });
    },
  };
}

async function dispatch(
  services: ConversationServices,
  connectionId: string,
  frame: InboundRelayFrame,
): Promise<void> {
  annotateLog({ frame: frame.type });
  switch (frame.type) {
    case 'setup':
      return openConversation(services, connectionId, frame);
    case 'prompt':
      // Parts of an utterance that is still going on are not answered.
      return frame.last === false || frame.voicePrompt.trim() === ''
        ? undefined
        : answerWords(services, connectionId, frame.voicePrompt.trim());
    case 'interrupt':
      return noteInterruption(services, connectionId, frame);
    case 'dtmf':
      return noteKey(services, connectionId, frame.digit);
    case 'error':
      // Its description quotes our frame, which holds spoken words.
      return log('relay-error');
    case 'info':
      return undefined;
  }
}

function toggleTrailingSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : `${url}/`;
}
