import { describe, expect, test } from 'vitest';
import { type ManagementApi, operatorEmail } from '../../support/management-api.ts';

/** Who may request real calls by the management API; `live-grant.test.ts` shows what a grant does. */
export function liveGrantSuite(api: () => ManagementApi): void {
  describe('a live grant', () => {
    const body = { caller_number: '+12025550150' };

    test('is refused to owners, and to people who name themselves after an operator', async () => {
      const { mine, ask, tokenOf } = api();
      const path = `/admin/projects/${mine.projectId}/live-grant`;
      for (const method of ['PUT', 'DELETE']) {
        expect(await ask(method, path, mine.owner, body)).toMatchObject({
          status: 403,
          json: { detail: 'Only an operator of this service may do this' },
        });
        const stranger = await tokenOf(`x${operatorEmail}`);
        expect(await ask(method, path, stranger, body)).toMatchObject({ status: 404 });
      }
    });

    test('is an operator’s to give, who needs no role in the project', async () => {
      const { mine, ask, tokenOf } = api();
      const path = `/admin/projects/${mine.projectId}/live-grant`;
      // In different case, because identity providers disagree on it.
      const operator = await tokenOf(operatorEmail.toUpperCase());
      expect(await ask('PUT', path, operator, {})).toMatchObject({ status: 400 });
      expect(await ask('PUT', path, operator, body)).toMatchObject({
        status: 409,
        json: { detail: 'The service has no credentials for the live carrier' },
      });
      expect(await ask('DELETE', path, operator)).toMatchObject({
        status: 409,
        json: { detail: 'The project has no grant to withdraw' },
      });
      expect(await ask('GET', `/admin/projects/${mine.projectId}`, operator)).toMatchObject({ status: 404 });
    });
  });
}
