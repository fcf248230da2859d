import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Task, TaskStatus } from '#shared/domain/task.ts';
import type { ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { createCallItem } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import { putPatientItem } from '#shared/table/patient.ts';
import { searchTermItems } from '#shared/table/search-term.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';
import { projectServices } from '../support/project-services.ts';
import { sampleCall, sampleResult, sampleTask } from '../support/sample-tasks.ts';

const taskCount = 5000;
const patientCount = 1250;
const writtenAtOnce = 50;
/** More than a search reads for any word; all would take the embedded table minutes. */
const indexedTasks = 1000;
/** As many as one request writes. */
const indexedAtOnce = 25;
/** A month of work, so that tasks are spread out as in a clinic. */
const monthMs = 30 * 24 * 60 * 60 * 1000;

/** A project with a month of tasks, and the terms to search for. */
export interface BusyClinic {
  readonly projectId: string;
  readonly email: string;
  /** Of a patient, a task and a number that several tasks call. */
  readonly patientId: string;
  readonly taskId: string;
  readonly phoneNumber: string;
  readonly name: string;
  readonly reference: string;
}

/** @param keys that seal the clinic's data, as in a deployment */
export async function storeBusyClinic(table: Table, keys: ProjectKeyMaker): Promise<BusyClinic> {
  const email = 'manager@clinic.example.com';
  const { project } = await createProject(
    { ...projectServices(table), keys },
    { name: 'Busy Clinic', carrier: 'sandbox', webhook: null, members: [{ email, role: 'owner' }] },
  );
  const start = Date.now() - monthMs;
  const momentOf = (index: number, count: number) => new Date(start + (index / count) * monthMs);
  const patients = Array.from({ length: patientCount }, (_, index): Patient => {
    const at = momentOf(index, patientCount);
    return {
      id: uuidv7(at.getTime()),
      project_id: project.id,
      first_name: `Maya ${letters(index)}`,
      last_name: `Rivera ${letters(index % 40)}`,
      phone_number: `+1202555${String(100 + (index % 100)).padStart(4, '0')}`,
      date_of_birth: '1984-07-12',
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
    };
  });
  const tasks = Array.from({ length: taskCount }, (_, index) =>
    taskOf(project.id, email, patients[index % patientCount]?.id ?? '', index, momentOf(index, taskCount)),
  );
  await writeAll(table, [
    ...patients.map((patient) => putPatientItem(table, patient)),
    ...tasks.map((task) => createTaskItem(table, task)),
    ...tasks.filter(({ status }) => status !== 'PENDING').map((task) => createCallItem(table, callOf(task))),
  ]);
  await indexAll(table, [
    ...patients.map((patient) => ({ ...patient, type: 'patient' })),
    ...tasks.slice(-indexedTasks).map((task) => ({ ...task, type: 'task' })),
  ]);
  return {
    projectId: project.id,
    email,
    patientId: patients[7]?.id ?? '',
    taskId: tasks[3]?.id ?? '',
    phoneNumber: '(202) 555-0199',
    name: `rivera ${letters(7)} maya`,
    reference: `CN-${taskCount - 100}`,
  };
}

async function writeAll(table: Table, items: readonly TransactionItem[]): Promise<void> {
  for (let start = 0; start < items.length; start += writtenAtOnce) {
    await writeTransaction(table, items.slice(start, start + writtenAtOnce));
  }
}

/** As the stream does. */
async function indexAll(table: Table, items: readonly Record<string, unknown>[]): Promise<void> {
  const terms = (await Promise.all(items.map((item) => searchTermItems(table, item)))).flat();
  for (let start = 0; start < terms.length; start += indexedAtOnce) {
    const group = terms.slice(start, start + indexedAtOnce);
    const requests = group.map((Item) => ({ PutRequest: { Item } }));
    await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
  }
}

/** A different name for each number. */
function letters(number: number): string {
  return [...String(number)].map((digit) => 'BCDFGHKLMN'[Number(digit)]).join('');
}

/** The size of real tasks: six answers with the words that support them. */
function taskOf(projectId: string, email: string, patientId: string, index: number, at: Date): Task {
  const status = statusOf(index);
  const isOver = status !== 'PENDING';
  const words = 'We are open from eight until five, and closed on public holidays. '.repeat(2);
  const answers = Array.from({ length: 6 }, (_, number) => ({
    key: `question_${number + 1}`,
    question: `Question ${number + 1} about the benefits of this plan?`,
    answer: words,
    value: null,
    quote: words,
    turn: number + 3,
    needs_review: number === 0 && index % 50 === 0,
  }));
  return sampleTask(
    { id: projectId },
    {
      id: uuidv7(at.getTime()),
      patient_id: patientId,
      status,
      task: 'Verify the benefits of a knee arthroscopy and whether prior authorization is needed.',
      phone_number: `+1202555${String(100 + (index % 1000 === 3 ? 99 : index % 99)).padStart(4, '0')}`,
      task_outcome: isOver ? 'Benefits verified; no prior authorization is needed.' : null,
      next_attempt_at: isOver ? null : at.toISOString(),
      result: isOver
        ? sampleResult({
            answers,
            reference_number: `CN-${index}`,
            follow_up: index % 25 === 0 ? 'Send the itemized bill.' : null,
            summary: words,
          })
        : null,
      ...(index % 2000 === 1
        ? {
            follow_up_work: {
              version: 1,
              assignee: email,
              due: null,
              notes: [],
              done_at: null,
              done_by: null,
            },
          }
        : {}),
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
    },
  );
}

/** The size of real calls. */
function callOf(task: Task): Call {
  const at = task.created_at;
  return sampleCall(task, {
    id: uuidv7(Date.parse(at)),
    status: task.status === 'COMPLETED' ? 'SUCCESS' : 'NO_ANSWER',
    submission: 'submitted',
    carrier_progress: 'completed',
    talk_seconds: 180,
    result: task.result,
    created_at: at,
    updated_at: at,
    ended_at: at,
    completed_at: at,
  });
}

function statusOf(index: number): TaskStatus {
  if (index % 1000 === 500) return 'CANCELLED';
  if (index > taskCount - 60) return 'PENDING';
  return index % 10 === 0 ? 'FAILED' : 'COMPLETED';
}
