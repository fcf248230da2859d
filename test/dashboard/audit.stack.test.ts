import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditItems } from '#shared/table/audit-chain.ts';
import { type Clinic, look, openClinic, textOf } from '../support/browser.ts';
import { type CommandRun, runProcessOn } from '../support/command-run.ts';
import { eventually, stack, stackTable } from '../support/stack.ts';

const { endpoints, outputs } = stack();

let clinic: Clinic;
let patientId: string;
beforeAll(async () => {
  clinic = await openClinic();
  patientId = await clinic.register();
});
afterAll(() => clinic?.close());

function verify(): Promise<CommandRun> {
  const args = ['--table', String(outputs.TableName), '--bucket', String(outputs.AuditBucketName)];
  return runProcessOn(
    { endpoint: endpoints.dynamodb, kmsEndpoint: endpoints.kms },
    'verify-audit',
    [...args, '--project', clinic.client.projectId],
    { AWS_ENDPOINT_URL_S3: endpoints.s3 },
  );
}

describe('who saw a patient', () => {
  test('is shown to an owner on its own page: the key that created the patient, and people', async () => {
    const { owner, viewer, address } = clinic;
    await viewer.page.goto(`${address}/patients/${patientId}`);
    expect(await viewer.page.getByRole('link', { name: 'Who saw this patient' }).count()).toBe(0);
    const { page } = owner;
    await page.goto(`${address}/patients/${patientId}`);
    await page.getByRole('link', { name: 'Who saw this patient' }).click();
    await page.getByRole('heading', { name: 'Who saw this patient', level: 1 }).waitFor();
    const told = await eventually('the log to tell of the viewer', async () => {
      await page.reload();
      const text = await textOf(page.locator('main'));
      return text.includes('viewer@clinic.example.com') ? text : null;
    });
    expect(told).toContain('Added a patient');
    expect(told).toContain('API key ');
    expect(told).not.toContain('Rivera');
    await look(page, 'patient-access');
  });

  test('is hidden from a viewer', async () => {
    const { viewer, address } = clinic;
    const answer = await viewer.page.goto(`${address}/patients/${patientId}/access-log`);
    expect(answer?.status()).toBe(403);
  });

  test('is sealed: the command proves it, and finds one changed byte', async () => {
    const { projectId } = clinic.client;
    const whole = await eventually('every entry to be sealed', async () => {
      const { exitCode, stdout } = await verify();
      const [verdict] = JSON.parse(stdout).projects;
      return verdict.not_yet_sealed === 0 && verdict.entries > 0 ? { exitCode, verdict } : null;
    });
    expect(whole).toMatchObject({ exitCode: 0, verdict: { project_id: projectId, problems: [] } });
    expect(whole.verdict.copies).toBeGreaterThan(0);

    const table = stackTable();
    const { value: first } = await auditItems(table, projectId).next();
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { pk: first?.pk, sk: first?.sk },
        UpdateExpression: 'SET request_id = :changed',
        ExpressionAttributeValues: { ':changed': 'x' },
      }),
    );
    const { exitCode, stdout } = await verify();
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).projects[0].problems).toEqual([
      `Entry ${first?.id} differs from what was sealed`,
      `Entry ${first?.id} differs from its copy`,
    ]);
  });
});
