import type { OutboundRelayFrame } from '#shared/carrier/relay-frames.ts';
import { relayToken } from '#shared/carrier/relay-token.ts';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { createCallItem } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { getTurns } from '#shared/table/conversation.ts';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import type { RelayServices, WatchServices } from '#shared/voice-agent/session/conversation-services.ts';
import type { NoInputMessage } from '#shared/voice-agent/session/no-input-timer.ts';
import { relaySession } from '#shared/voice-agent/session/relay-session.ts';
import { sampleCall, sampleProject, sampleTask } from './sample-tasks.ts';
import { storePatient } from './stored-patients.ts';

export const relayUrl = 'wss://ws.example.test/relay';
export const authToken = '0123456789abcdef0123456789abcdef';
/** The live carrier's, which does not make these calls. */
export const liveAuthToken = 'fedcba9876543210fedcba9876543210';
export const callSid = 'CA0000000000000000000000000000000a';

/** An answered call, the carrier's session for it, and a line that keeps what is sent. */
export interface RelayFixture {
  readonly call: Call;
  readonly task: Task;
  readonly connection: string;
  readonly services: RelayServices & WatchServices;
  readonly sent: { connectionId: string; frame: OutboundRelayFrame }[];
  readonly closed: string[];
  /** When to check the conversation again. */
  readonly looks: { callId: string; inMs: number; message: NoInputMessage }[];
  /** Moves the clock on. */
  pass(ms: number): void;
  setupFrame(changes?: { callSid?: string; token?: string; callId?: string }): object;
  /** Delivers a frame; the same name twice is the same frame twice. */
  frame(frame: object, frameId?: string, connectionId?: string): Promise<void>;
  /** Delivers text that may not be a valid frame. */
  text(body: string): Promise<void>;
  connect(headers: Record<string, string>): Promise<void>;
  /** Everything spoken so far, as the person hears it. */
  heard(): string;
  /** The transcript so far, each turn behind `P:` for the person or `A:` for the agent. */
  lines(): Promise<string[]>;
}

export interface RelayFixtureOptions {
  readonly model: DialogueModel;
  readonly project?: Partial<Project>;
  readonly patient?: Partial<Patient>;
  /** Blocks what is sent. */
  readonly onSend?: (frame: OutboundRelayFrame) => boolean | Promise<boolean>;
  readonly longestTurnMs?: number;
  /** Replaces the access to the table. */
  readonly through?: Table;
}

/** @param table where the call is set up */
export async function startRelayFixture(table: Table, options: RelayFixtureOptions): Promise<RelayFixture> {
  const project = sampleProject(options.project);
  const task = sampleTask(project);
  const { carrier } = project;
  const call = sampleCall(task, { carrier, carrier_call_sid: callSid });
  await storePatient(table, {
    id: task.patient_id,
    project_id: project.id,
    first_name: 'Maya',
    last_name: 'Rivera',
    phone_number: '+12025550142',
    date_of_birth: '1984-07-12',
    created_at: task.created_at,
    updated_at: task.created_at,
    ...options.patient,
  });
  await writeTransaction(table, [
    putProject(table, project),
    createTaskItem(table, task),
    createCallItem(table, call),
  ]);
  const connection = uuidv7();
  const sent: RelayFixture['sent'] = [];
  const closed: string[] = [];
  const looks: RelayFixture['looks'] = [];
  let clockMs = Date.parse('2026-03-02T15:00:00.000Z');
  const services: RelayServices & WatchServices = {
    table: options.through ?? table,
    model: options.model,
    connections: {
      async send(connectionId, frames) {
        for (const frame of frames) {
          if ((await options.onSend?.(frame)) === false) return false;
          sent.push({ connectionId, frame });
        }
        return true;
      },
      async close(connectionId) {
        closed.push(connectionId);
      },
    },
    noInputTimer: {
      silenceMs: 9_000,
      async schedule(message, inMs) {
        looks.push({ callId: message.call_id, inMs, message });
      },
    },
    keepAliveMs: 480_000,
    findCarrier: async (holds) => (holds([authToken]) ? 'sandbox' : holds([liveAuthToken]) ? 'live' : null),
    now: () => new Date(clockMs),
    longestTurnMs: options.longestTurnMs ?? 18_000,
  };
  const session = relaySession(services, relayUrl);
  return {
    call,
    task,
    connection,
    services,
    sent,
    closed,
    looks,
    pass: (ms) => {
      clockMs += ms;
    },
    setupFrame: (changes = {}) => ({
      type: 'setup',
      sessionId: 'VX0000000000000000000000000000000c',
      callSid: changes.callSid ?? callSid,
      customParameters: {
        task_id: task.id,
        call_id: changes.callId ?? call.id,
        token: changes.token ?? relayToken(carrier === 'live' ? liveAuthToken : authToken, call.id),
      },
    }),
    frame: (frame, frameId = uuidv7(), connectionId = connection) =>
      session.message({ connectionId, messageId: frameId, body: JSON.stringify(frame) }),
    text: (body) => session.message({ connectionId: connection, messageId: uuidv7(), body }),
    connect: (headers) => session.connect({ connectionId: uuidv7(), headers, query: new URLSearchParams() }),
    heard: () =>
      sent
        .map(({ frame }) => (frame.type === 'text' ? `${frame.token}${frame.last === true ? ' ' : ''}` : ''))
        .join('')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    lines: async () => {
      const turns = await getTurns(table, call.id);
      return turns.map(({ role, content }) => `${role === 'user' ? 'P' : 'A'}: ${content}`);
    },
  };
}

export function prompt(voicePrompt: string, last = true): object {
  return { type: 'prompt', voicePrompt, last };
}

export function interrupt(utteranceUntilInterrupt?: string, durationUntilInterruptMs?: number): object {
  return { type: 'interrupt', utteranceUntilInterrupt, durationUntilInterruptMs };
}
