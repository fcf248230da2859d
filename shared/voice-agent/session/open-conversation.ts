import type { SetupFrame } from '#shared/carrier/relay-frames.ts';
import { verifyRelayToken } from '#shared/carrier/relay-token.ts';
import { readLineTerms, withLineLimits } from '#shared/directory/line-terms.ts';
import type { Call } from '#shared/domain/call.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { annotateLog, log, logError } from '#shared/observability/log.ts';
import { getCall } from '#shared/table/call.ts';
import { type Conversation, createConversationItem, getConversation } from '#shared/table/conversation.ts';
import { createConversationPlanItem } from '#shared/table/conversation-plan.ts';
import { type ConversationWatch, createConversationWatchItem } from '#shared/table/conversation-watch.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getProject } from '#shared/table/project.ts';
import { createRelayConnectionItem } from '#shared/table/relay-connection.ts';
import { getTask } from '#shared/table/task.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import type { CallPlan } from '../call-plan/call-plan.ts';
import { createCallPlan } from '../call-plan/create-call-plan.ts';
import { chooseModel } from '../dialogue/choose-model.ts';
import type { ConversationState } from '../dialogue/conversation-state.ts';
import type { DialogueInput, DialogueModel } from '../dialogue/dialogue-model.ts';
import { emptyRecord } from '../dialogue/dialogue-record.ts';
import type { ConversationServices, RelayServices } from './conversation-services.ts';
import { rememberCall, rememberConversation } from './known-calls.ts';
import { claimed, speakClaimedTurn } from './streamed-turn.ts';
import { decide, sendFrames } from './take-turn.ts';
import { speakingMs } from './timeline.ts';
import { carryOut } from './turn-outcome.ts';
import { afterTurn, withSaid } from './turn-steps.ts';
import { newWatch } from './watch.ts';

/**
 * The first frame of a session: checks that it belongs to a call of ours in progress, makes the plan and speaks
 * the opening. At once, not after the person's greeting, because a greeting is not guaranteed, and the person has a
 * right to hear first that an assistant calls and records. A session that is not the first of its call
 * is closed, and so is one that cannot be opened: the document that follows then apologizes.
 */
export async function openConversation(
  services: RelayServices,
  connectionId: string,
  setup: SetupFrame,
): Promise<void> {
  const begunAt = performance.now();
  try {
    const opened = await identifyCall(services, setup);
    if (opened === null) {
      log('relay-session-refused');
      await services.connections.close(connectionId);
      return;
    }
    await speakOpening({ ...services, model: opened.model }, connectionId, setup, { ...opened, begunAt });
  } catch (error) {
    logError(alarmingEvents.conversationNotOpened, error);
    await services.connections.close(connectionId);
    return;
  }
}

/** A first frame that cannot be read: without closing, the person would hear nothing. */
export async function refuseSetup(services: RelayServices, connectionId: string): Promise<void> {
  log(alarmingEvents.conversationNotOpened, { reason: 'invalid-setup' });
  await services.connections.close(connectionId);
}

interface OpenedCall {
  readonly call: Call;
  readonly plan: CallPlan;
  readonly model: DialogueModel;
}

async function speakOpening(
  services: ConversationServices,
  connectionId: string,
  setup: SetupFrame,
  { call, plan, begunAt }: OpenedCall & { readonly begunAt: number },
): Promise<void> {
  const { model } = services;
  const now = services.now();
  const before = { record: emptyRecord, memory: null };
  const question: DialogueInput = {
    plan,
    ...before,
    history: [],
    event: { type: 'opened' },
    answeredBy: call.answered_by,
    now,
  };
  const blank = newConversation(call, connectionId, setup, model.name, now);
  if (!model.isImmediate) {
    const conversation = claimed(services, blank, 0, now);
    const watch = newWatch(call.id, services.noInputTimer.silenceMs, now);
    if (!(await create(services, conversation, plan, watch))) return;
    rememberCall(connectionId, call.id, plan);
    await Promise.all([
      speakClaimedTurn(services, { conversation, question, isSuperseded: false, begunAt }),
      startNoInputTimer(services, watch, services.noInputTimer.silenceMs),
    ]);
    return;
  }
  const actions = await decide(model, question);
  const outcome = carryOut(actions, before, 0, plan);
  const { next, ours } = afterTurn(blank, outcome, {
    actions,
    index: 0,
    model: model.name,
    spokeAtMs: 0,
    now,
  });
  const quietInMs = speakingMs(outcome.words ?? '') + services.noInputTimer.silenceMs;
  const watch = newWatch(call.id, quietInMs, now);
  const opened = withSaid(next, ours);
  if (!(await create(services, opened, plan, watch))) return;
  rememberCall(connectionId, call.id, plan);
  rememberConversation({ conversation: opened, turns: ours, answeredBy: call.answered_by });
  // In parallel: the next call then finds this function free.
  await Promise.all([
    sendFrames(services.connections, connectionId, outcome.frames),
    startNoInputTimer(services, watch, quietInMs),
  ]);
  log('turn', {
    turn: 0,
    spoke: outcome.words !== null,
    ended: outcome.ended,
    ...(outcome.words === null ? {} : { first_word_ms: Math.round(performance.now() - begunAt) }),
  });
}

function newConversation(
  call: Call,
  connectionId: string,
  setup: SetupFrame,
  model: string,
  now: Date,
): Conversation {
  const state: ConversationState = { model, record: emptyRecord, memory: null };
  return {
    call_id: call.id,
    task_id: call.task_id,
    project_id: call.project_id,
    carrier_call_sid: setup.callSid,
    connection_id: connectionId,
    epoch: 0,
    turn_count: 0,
    offset_ms: 0,
    status: 'open',
    said: null,
    answering: null,
    waiting_since: null,
    held_ms: 0,
    quiet_since: now.toISOString(),
    silences: 0,
    recent_frames: [],
    state,
    started_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}

/** Stores the conversation; false if the call has one already. */
async function create(
  { table, connections }: ConversationServices,
  conversation: Conversation,
  plan: CallPlan,
  watch: ConversationWatch,
): Promise<boolean> {
  const { call_id, task_id, project_id, connection_id } = conversation;
  try {
    await writeTransaction(table, [
      createConversationItem(table, conversation),
      createConversationPlanItem(table, project_id, call_id, plan),
      createRelayConnectionItem(
        table,
        { connection_id, call_id, task_id },
        Date.parse(conversation.started_at),
      ),
      createConversationWatchItem(table, watch),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    log('relay-session-repeated');
    // The same frame again is not another session.
    const present = await getConversation(table, call_id);
    if (present?.connection_id !== connection_id) await connections.close(connection_id);
    return false;
  }
}

/** Schedules the silence check. If that fails, the sweeper starts it: the watch is due by then. */
async function startNoInputTimer(
  { noInputTimer }: ConversationServices,
  watch: ConversationWatch,
  inMs: number,
): Promise<void> {
  try {
    await noInputTimer.schedule(watch, inMs);
  } catch (error) {
    logError('conversation-not-watched', error);
  }
}

/**
 * The call of a session, with its plan; null for a session that is not ours. The handshake's signature
 * is the same for every call, so this call's token and carrier ID are checked as well.
 */
async function identifyCall(
  services: RelayServices,
  { callSid, customParameters }: SetupFrame,
): Promise<OpenedCall | null> {
  const taskId = Uuid.safeParse(customParameters?.task_id);
  const callId = Uuid.safeParse(customParameters?.call_id);
  if (!taskId.success || !callId.success) return null;
  const carrier = await services.findCarrier((authTokens) =>
    verifyRelayToken(authTokens, callId.data, customParameters?.token ?? ''),
  );
  if (carrier === null) return null;
  annotateLog({ task_id: taskId.data, call_id: callId.data });
  const [call, task] = await Promise.all([
    getCall(services.table, taskId.data, callId.data),
    getTask(services.table, taskId.data),
  ]);
  if (call === null || task === null || call.status !== 'IN_PROGRESS') return null;
  if (call.carrier !== carrier) return null;
  // The response to our dial may still be on its way when the person has already answered.
  if (call.carrier_call_sid !== null && call.carrier_call_sid !== callSid) return null;
  const [patient, project, line] = await Promise.all([
    getPatient(services.table, task.patient_id),
    getProject(services.table, task.project_id),
    readLineTerms(services.table, task.project_id, task.phone_number),
  ]);
  if (patient === null || project === null) return null;
  const { agent } = project;
  return {
    call,
    plan: createCallPlan(task, patient, withLineLimits(project, line), agent),
    model: chooseModel(services, { carrier, agent }),
  };
}
