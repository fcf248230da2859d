import { type InboundRelayFrame, parseRelayFrame } from '#shared/carrier/relay-frames.ts';
import { verifySignature } from '#shared/carrier/signature.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, log, logError } from '#shared/observability/log.ts';
import type { RelaySocketHandlers } from '#shared/triggers/websocket.ts';
import type { RelayServices } from './conversation-services.ts';
import { answerWords, type Frame, noteInterruption, noteKey } from './converse.ts';
import { openConversation, refuseSetup } from './open-conversation.ts';

/**
 * The voice agent's side of the carrier's relay: who may connect, and the effect of each frame on the
 * conversation. A frame never fails, because the gateway would send the carrier an error that it does not
 * know, and ten of those end a call.
 */
export function relaySession(services: RelayServices, relayUrl: string): RelaySocketHandlers {
  return {
    async connect({ headers }) {
      const signature = headers['x-twilio-signature'];
      // Whether the carrier signs a trailing slash is undocumented; both addresses are ours.
      const urls = [relayUrl, toggleTrailingSlash(relayUrl)];
      const signer = await services.findCarrier((authTokens) =>
        urls.some((url) => verifySignature(authTokens, signature, url, [])),
      );
      if (signer === null) {
        annotateLog({ signature: 'refused' });
        // Strangers do not sign. A failed signature means that our address or token is not the carrier's.
        if (signature !== undefined)
          log(alarmingEvents.carrierSignatureRefused, { addresses: urls.join(' ') });
        throw new ServiceError('forbidden', 'Forbidden');
      }
    },
    async message({ connectionId, messageId, body }) {
      const parsed = parseRelayFrame(body);
      if (parsed.kind === 'invalid-setup') return refuseSetup(services, connectionId);
      if (parsed.kind !== 'frame') return log('relay-frame-ignored', { reason: parsed.kind });
      try {
        await dispatch(services, { connectionId, frameId: messageId }, parsed.frame);
      } catch (error) {
        logError(alarmingEvents.relayFrameFailed, error);
      }
    },
    async disconnect({ closeCode }) {
      // The carrier reports the end of the call by its callbacks; nothing to do here.
      annotateLog({ close_code: closeCode });
    },
  };
}

async function dispatch(services: RelayServices, source: Frame, frame: InboundRelayFrame): Promise<void> {
  annotateLog({ frame: frame.type });
  switch (frame.type) {
    case 'setup':
      return openConversation(services, source.connectionId, frame);
    case 'prompt':
      // Parts of an unfinished utterance are not answered.
      return frame.last === false || frame.voicePrompt.trim() === ''
        ? undefined
        : answerWords(services, source, frame.voicePrompt.trim());
    case 'interrupt':
      return noteInterruption(services, source, frame);
    case 'dtmf':
      return noteKey(services, source, frame.digit);
    case 'error':
      // Its description quotes our frame, which contains spoken words.
      return log('relay-error');
    case 'info':
      return undefined;
  }
}

function toggleTrailingSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : `${url}/`;
}
