import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clinic, look, newVisitor, noticeOn, openClinic, signInAs, textOf } from '../support/browser.ts';
import { stack } from '../support/stack.ts';

const { baseUrl } = stack();

let clinic: Clinic;
beforeAll(async () => {
  clinic = await openClinic();
});
afterAll(() => clinic?.close());

describe('a patient at a browser', () => {
  test('is merged with a duplicate after a comparison, only by people who may erase', async () => {
    const { page } = clinic.owner;
    const person = { first_name: 'Iris', last_name: 'Delgado', date_of_birth: '1971-03-04' };
    const kept = await clinic.register(person);
    const duplicate = await clinic.register({ ...person, external_id: 'MRN-1' });
    await clinic.untilIndexed(person.date_of_birth, 2);
    await page.goto(`${clinic.address}/patients/${kept}`);
    await page.getByRole('link', { name: 'Merge duplicate' }).click();
    await look(page, 'patient-merge');
    await page.getByRole('table').getByRole('link', { name: 'Iris Delgado' }).click();
    await page.getByText('This cannot be undone').waitFor();
    await look(page, 'patient-merge-preview');
    await page.getByRole('button', { name: 'Merge patients' }).click();
    expect(await noticeOn(page)).toContain('The patients were merged.');
    expect(await textOf(page.getByRole('main'))).toContain('MRN-1');
    expect((await page.goto(`${clinic.address}/patients/${duplicate}`))?.status()).toBe(404);

    await clinic.viewer.page.goto(`${clinic.address}/patients/${kept}`);
    expect(await clinic.viewer.page.getByRole('link', { name: 'Merge duplicate' }).count()).toBe(0);
    const answer = await clinic.viewer.page.goto(`${clinic.address}/patients/${kept}/merge`);
    expect(answer?.status()).toBe(403);
  });

  test('gets another insurance, also without scripts', async () => {
    const { context, page } = await newVisitor(clinic.browser, { javaScriptEnabled: false });
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.goto(`${clinic.address}/new-patient`);
    const dental = page.locator('details', { hasText: 'Dental insurance' });
    await dental.locator('summary').click();
    for (const number of [1, 2, 3]) {
      const group = page.getByRole('group', { name: `Dental insurance ${number}` });
      await group.getByLabel('Company', { exact: true }).fill(`Example Dental ${number}`);
      await dental.getByRole('button', { name: 'Add another dental insurance' }).click();
      await page.getByRole('group', { name: `Dental insurance ${number + 1}` }).waitFor();
    }
    for (const number of [1, 2, 3]) {
      const group = page.getByRole('group', { name: `Dental insurance ${number}` });
      expect(await group.getByLabel('Company', { exact: true }).inputValue()).toBe(
        `Example Dental ${number}`,
      );
    }
    await context.close();
  });
});
