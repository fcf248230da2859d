import type { Call } from '#shared/domain/call.ts';
import type { Patient } from '#shared/domain/patient.ts';
import { toPatientResource } from '#shared/patients/patient-resource.ts';
import type { RecordingStore } from '#shared/recordings/recording-store.ts';
import { listPatientAccess } from '#shared/table/audit-log.ts';
import { listCalls } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { getTurns } from '#shared/table/conversation.ts';
import { getTask } from '#shared/table/task.ts';
import { patientTaskIds } from '#shared/table/task-list.ts';
import { callFields, taskFields } from '#shared/tasks/task-resource.ts';

/** One file of an export. */
export interface ExportFile {
  readonly name: string;
  readonly input: string | AsyncIterable<Uint8Array | string>;
}

export interface ExportSource {
  readonly table: Table;
  readonly recordings: Pick<RecordingStore, 'open'>;
}

/** Called after each complete recording, with the total. */
export type OnRecording = (done: number, total: number) => Promise<void>;

/**
 * All data about a patient as a sequence of files, each read when the one before has been consumed, so that
 * memory is bounded by the largest task. Leaves out what is deleted meanwhile.
 */
export async function* exportFiles(
  source: ExportSource,
  patient: Patient,
  onRecording: OnRecording,
): AsyncGenerator<ExportFile> {
  const { changes = [] } = patient;
  yield jsonFile('patient.json', { ...toPatientResource(patient), changes });
  const recorded: Call[] = [];
  let tasks = 0;
  for await (const taskIds of patientTaskIds(source.table, patient.project_id, patient.id)) {
    for (const taskId of taskIds) {
      const found = await readTask(source.table, taskId);
      if (found === null) continue;
      tasks += 1;
      recorded.push(...found.calls.filter(({ recording }) => recording.status === 'stored'));
      yield jsonFile(`tasks/${taskId}.json`, found.content);
    }
  }
  yield { name: 'access.json', input: accessEntries(source.table, patient) };
  const missing: string[] = [];
  for (const [position, call] of recorded.entries()) {
    await onRecording(position, recorded.length);
    const body = call.recording.key === null ? null : await source.recordings.open(call.recording.key);
    if (body === null) missing.push(call.id);
    else yield { name: recordingName(call), input: body };
  }
  await onRecording(recorded.length, recorded.length);
  const recordings = recorded.length - missing.length;
  yield jsonFile('contents.json', { tasks, recordings, recordings_deleted_meanwhile: missing });
}

function recordingName({ id }: Pick<Call, 'id'>): string {
  return `recordings/${id}.wav`;
}

/** A task as clients read it, with its instructions, notes and transcripts. */
async function readTask(
  table: Table,
  taskId: string,
): Promise<{ readonly calls: readonly Call[]; readonly content: unknown } | null> {
  const task = await getTask(table, taskId);
  if (task === null) return null;
  const calls = await listCalls(table, taskId);
  const contents: unknown[] = [];
  for (const call of calls) {
    const turns = await getTurns(table, call.id);
    const { recording_url, ...fields } = callFields(call, { recording: () => recordingName(call) });
    contents.push({
      ...fields,
      recording: recording_url,
      recording_missing_because: call.recording.reason,
      result: call.result,
      transcripts: turns.map(({ role, content, created_at, disclosed = [] }) => ({
        role,
        content,
        created_at,
        disclosed,
      })),
    });
  }
  const { phone_number, task_data, result, follow_up_work = null } = task;
  const content = { ...taskFields(task), phone_number, task_data, result, follow_up_work, calls: contents };
  return { calls, content };
}

const entriesAtOnce = 100;

/** A JSON array of who saw or changed the patient's data, newest first. */
async function* accessEntries(table: Table, { id, project_id }: Patient): AsyncGenerator<string> {
  let before: string | null = null;
  let separator = '[\n';
  do {
    const { items, next } = await listPatientAccess(table, project_id, id, { limit: entriesAtOnce, before });
    for (const entry of items) {
      yield separator + JSON.stringify(entry);
      separator = ',\n';
    }
    before = next;
  } while (before !== null);
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

function jsonFile(name: string, content: unknown): ExportFile {
  return { name, input: `${JSON.stringify(content, null, 2)}\n` };
}
