import { log } from '#shared/observability/log.ts';
import type { PersonState } from '../person/person-state.ts';
import { newSid } from '../wire.ts';
import { Conversation } from './conversation.ts';
import { CallCut, type LineContext } from './line-context.ts';
import { RelaySocket } from './relay-socket.ts';
import type { SessionEnd } from './session-end.ts';
import type { RelayOrder } from './twiml.ts';

export interface Session {
  readonly sessionId: string;
  readonly end: SessionEnd;
  readonly durationMs: number;
  readonly person: PersonState;
}

/** Connects the person to the application over the relay and lets them talk until one of them ends it. */
export async function converse(
  context: LineContext,
  order: RelayOrder,
  earlier: PersonState | null,
): Promise<Session> {
  const { call, clock, character } = context;
  const sessionId = newSid('VX');
  const startedMs = clock.elapsedMs;
  const conversation = new Conversation(context, order, earlier);
  const finish = (end: SessionEnd): Session => ({
    sessionId,
    end,
    durationMs: clock.elapsedMs - startedMs,
    person: conversation.person,
  });
  const socket = await RelaySocket.open({
    url: order.url,
    authToken: context.authToken,
    signsTrailingSlash: character.network.signs_trailing_slash,
    onResponse: context.noteResponseTime,
  });
  if (socket === null) {
    log('sandbox-relay-refused', { call_sid: call.sid });
    return finish({
      status: 'failed',
      errorCode: '64102',
      errorMessage: 'Unable to connect to WebSocket URL',
    });
  }
  try {
    socket.send({
      type: 'setup',
      sessionId,
      accountSid: call.account_sid,
      parentCallSid: null,
      callSid: call.sid,
      from: call.from,
      to: call.to,
      forwardedFrom: null,
      callerName: null,
      callType: 'PSTN',
      direction: character.network.setup_direction,
      callStatus: character.network.setup_call_status,
      customParameters: order.parameters,
    });
    if (!order.isSpeakable) {
      const errorMessage = 'Invalid argument: the voice or the language is not supported by the provider';
      socket.send({ type: 'error', description: errorMessage });
      socket.close(1000);
      return finish({ status: 'failed', errorCode: '64106', errorMessage });
    }
    const end = await conversation.run(socket);
    socket.close(end.status === 'completed' ? character.network.close_code_on_hang_up : 1000);
    return finish(end);
  } catch (error) {
    socket.close(character.network.close_code_on_hang_up);
    if (error instanceof CallCut) throw new ConversationCut(finish({ status: 'completed' }));
    throw error;
  }
}

/** The call was cut during a conversation; this is its rest. */
export class ConversationCut extends CallCut {
  readonly session: Session;

  constructor(session: Session) {
    super();
    this.session = session;
  }
}
