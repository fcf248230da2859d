import { describe, expect, test } from 'vitest';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { alwaysOpen, defaultCallPolicy, defaultRedialPolicy } from '#shared/domain/project.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { getProject } from '#shared/table/project.ts';
import { type ApiReply, taskBody } from '../../support/api-under-test.ts';
import type { ManagementApi, StaffedProject } from '../../support/management-api.ts';

/** `/admin/me`, and the projects and their settings. */
export function projectSuite(api: () => ManagementApi): void {
  const pathOf = ({ projectId }: { projectId: string }): string => `/admin/projects/${projectId}`;
  const patch = (project: StaffedProject, body: unknown, token = project.owner): Promise<ApiReply> =>
    api().ask('PATCH', pathOf(project), token, body);
  const newestEntry = async (projectId: string) =>
    (await listAuditEntries(api().table, projectId, { limit: 1, before: null })).items[0];

  describe('a project that somebody creates', () => {
    test('is theirs, as usual where they wished nothing, and written down', async () => {
      const email = `founder.${uuidv7()}@clinic.example.com`;
      const founder = await api().tokenOf(email);
      const created = await api().ask('POST', '/admin/projects', founder, {
        name: 'Example Clinic',
        recording_retention_days: null,
        call_policy: { max_hold_seconds: 60 },
        agent: { organization_name: 'Example Care' },
      });
      expect([created.status, created.json]).toEqual([
        201,
        {
          id: expect.any(String),
          name: 'Example Clinic',
          carrier: 'sandbox',
          default_country: 'US',
          time_zone: null,
          allowed_countries: null,
          live_grant: null,
          role: 'owner',
          enabled_task_types: ['SCHEDULE_APPOINTMENT', 'VERIFY_INSURANCE', 'REIMBURSEMENT', 'CUSTOM_TASK'],
          caller_number: '+12025550199',
          redial_policy: defaultRedialPolicy,
          call_policy: { ...defaultCallPolicy, max_hold_seconds: 60 },
          calling_hours: alwaysOpen,
          max_concurrent_calls: 10,
          legal_hold: false,
          patient_retention_days: 2190,
          audit_retention_days: 2190,
          recording_retention_days: 365,
          task_retention_days: 2190,
          agent: { ...defaultAgentSettings, organization_name: 'Example Care' },
          created_at: created.json.created_at,
          updated_at: created.json.created_at,
        },
      ]);
      const { id, role: _, ...settings } = created.json;
      expect((await api().ask('GET', `/admin/projects/${id}`, founder)).json).toEqual(created.json);
      expect((await api().ask('GET', '/admin/me', founder)).json).toEqual({
        subject: `subject of ${email}`,
        email,
        name: 'Invented Person',
        projects: [{ id, name: 'Example Clinic', carrier: 'sandbox', role: 'owner' }],
      });
      const { created_at: __, updated_at: ___, live_grant: ____, ...after } = settings;
      expect(await newestEntry(id)).toMatchObject({
        action: 'project.created',
        actor: { kind: 'person', email },
        target: { type: 'project', id },
        before: null,
        after,
        request_id: created.headers.get('x-request-id'),
      });
    });

    test('may not call real people: nobody who can sign in takes that right', async () => {
      const founder = await api().tokenOf('founder@clinic.example.com');
      const refused = await api().ask('POST', '/admin/projects', founder, {
        name: 'x',
        carrier: 'live',
        caller_number: '+12025550150',
      });
      expect([refused.status, refused.json.detail]).toEqual([
        403,
        'A project starts in the sandbox; an operator of this service grants live calls',
      ]);
    });

    test.each([
      [{}, 'Missing required fields'],
      [{ name: '' }, 'Missing required fields'],
      [{ name: 'n'.repeat(101) }, 'name must have at most 100 characters'],
      [{ name: ' ' }, 'name must not be blank'],
      [{ name: 'a\u202eb' }, 'name must not contain control or invisible characters'],
      [{ name: 'x', agent: { organization_name: '\u200b' } }, /^agent\.organization_name must not contain/],
      [
        { name: 'x', redial_policy: { delays_seconds: Array.from({ length: 21 }, () => 60) } },
        'redial_policy.delays_seconds must have at most 10 entries',
      ],
      [{ name: 'x', carrier: 'pigeon' }, 'carrier must be one of sandbox, live'],
      [{ name: 'x', enabled_task_types: ['SING'] }, /^enabled_task_types\[0\] must be one of/],
      [{ name: 'x', caller_number: '5550150' }, /^caller_number must match/],
      [{ name: 'x', max_concurrent_calls: 1001 }, 'max_concurrent_calls must be at most 1000'],
      [{ name: 'x', redial_policy: { max_attempts: 0 } }, 'redial_policy.max_attempts must be at least 1'],
      [
        { name: 'x', calling_hours: { opens: '21:00', closes: '08:00' } },
        'The calling hours must open before they close',
      ],
      [{ name: 'x', agent: { npi: '12345' } }, /^agent\.npi must be a National Provider Identifier/],
      [{ name: 'x', calling_hours: { opens: '9' } }, 'calling_hours.opens must be a time, HH:MM'],
    ])('is refused as %j', async (body, detail) => {
      const reply = await api().ask('POST', '/admin/projects', api().mine.owner, body);
      expect([reply.status, reply.json.detail]).toEqual([
        400,
        typeof detail === 'string' ? detail : expect.stringMatching(detail),
      ]);
    });
  });

  describe('the settings of a project', () => {
    test('are changed member by member, with what was and what is written down', async () => {
      const project = await api().newProject();
      const before = (await api().ask('GET', pathOf(project), project.viewer)).json;
      const changed = await patch(project, {
        name: 'Another name',
        calling_hours: { opens: '09:00', days: [5, 1, 1] },
        redial_policy: { max_attempts: 5 },
        call_policy: { callback_number: '+12025550150' },
        recording_retention_days: 30,
      });
      expect([changed.status, changed.json]).toEqual([
        200,
        {
          ...before,
          role: 'owner',
          name: 'Another name',
          calling_hours: { ...before.calling_hours, opens: '09:00', days: [1, 5] },
          redial_policy: { ...before.redial_policy, max_attempts: 5 },
          call_policy: { ...before.call_policy, callback_number: '+12025550150' },
          recording_retention_days: 30,
          updated_at: changed.json.updated_at,
        },
      ]);
      expect(changed.json.updated_at > before.updated_at).toBe(true);
      expect(await newestEntry(project.projectId)).toMatchObject({
        action: 'project.changed',
        before: { name: 'Test', recording_retention_days: 365, calling_hours: before.calling_hours },
        after: { name: 'Another name', recording_retention_days: 30, redial_policy: { max_attempts: 5 } },
      });
      const cleared = await patch(project, {
        recording_retention_days: null,
        call_policy: { callback_number: null },
      });
      expect(cleared.json).toMatchObject({
        recording_retention_days: null,
        call_policy: { ...before.call_policy, callback_number: null },
        name: 'Another name',
      });
      expect(await newestEntry(project.projectId)).toMatchObject({
        before: { recording_retention_days: 30, call_policy: { callback_number: '+12025550150' } },
        after: { recording_retention_days: null, call_policy: { callback_number: null } },
      });
    });

    test('tell of the voice agent, member by member too', async () => {
      const project = await api().newProject();
      const agent = {
        agent_name: 'Sam',
        organization_name: 'Example Care',
        on_behalf_of: 'provider',
        callback_number: '+12025550150',
        npi: '1234567893',
        tax_id: '12-3456789',
        disclosure: { allow: ['email'], deny: ['patient.phone_number'] },
        language_model: 'language-model',
        voice: 'Matthew-Neural',
        language: 'en-GB',
        speech_hints: ['Dr. Okafor'],
      };
      expect((await patch(project, { agent })).json.agent).toEqual(agent);
      expect(await newestEntry(project.projectId)).toMatchObject({
        action: 'project.changed',
        before: { agent: defaultAgentSettings },
        after: { agent },
      });
      const changed = await patch(project, { agent: { voice: null, disclosure: { allow: [] } } });
      const next = { ...agent, voice: null, disclosure: { ...agent.disclosure, allow: [] } };
      expect(changed.json.agent).toEqual(next);
      expect((await api().ask('GET', pathOf(project), project.viewer)).json.agent).toEqual(next);
    });

    test('count at once for what is asked of the project', async () => {
      const project = await api().newProject();
      await patch(project, { enabled_task_types: ['VERIFY_INSURANCE'] });
      const { status, json } = await api().ask(
        'POST',
        '/v1/task',
        project.apiKey,
        taskBody(project.projectId, uuidv7()),
      );
      expect([status, json.detail]).toEqual([403, 'Task type CUSTOM_TASK is not enabled for this project']);
    });

    test('change nothing and are not written down when they are what they were', async () => {
      const project = await api().newProject();
      const read = (await api().ask('GET', pathOf(project), project.owner)).json;
      const sentBack = await patch(project, read);
      expect([sentBack.status, sentBack.json]).toEqual([200, read]);
      expect(await newestEntry(project.projectId)).toMatchObject({ action: 'project.created' });
    });

    test('are each kept when many people change them at the same time', async () => {
      const project = await api().newProject();
      const changes = [
        { name: 'Renamed' },
        { max_concurrent_calls: 3 },
        { allowed_countries: ['US', 'MX'] },
        { recording_retention_days: 7 },
        { caller_number: '+12025550151' },
        { redial_policy: { max_attempts: 2 } },
        { call_policy: { voicemail: 'hang-up' } },
      ];
      const replies = await Promise.all(changes.map((change) => patch(project, change)));
      expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
      const stored = await getProject(api().table, project.projectId, { consistently: true });
      for (const change of changes) expect(stored).toMatchObject(change);
      const { items } = await listAuditEntries(api().table, project.projectId, { limit: 50, before: null });
      expect(items.filter(({ action }) => action === 'project.changed')).toHaveLength(changes.length);
    });

    test.each([
      [{ carrier: 'live' }, 409, /^A project's carrier cannot be changed/],
      [{ name: null }, 400, /^name must be a string$/],
      [{ allowed_countries: ['US', 'XX'] }, 400, /^allowed_countries\[1\] must be two-letter country codes/],
      [{ allowed_countries: [] }, 400, /^allowed_countries must have at least 1 entry$/],
      [{ redial_policy: { max_attempts: 11 } }, 400, /^redial_policy\.max_attempts must be at most 10$/],
      [{ name: '' }, 400, /^name must not be blank$/],
      [{ calling_hours: { closes: '00:00' } }, 400, /^The calling hours must open before they close$/],
      [{ call_policy: null }, 400, /^call_policy must be an object$/],
      [{ agent: { agent_name: '\u0000' } }, 400, /^agent\.agent_name must/],
      [
        { agent: { agent_name: 'a\u0007b' } },
        400,
        /^agent\.agent_name must not contain control or invisible characters$/,
      ],
      [{ agent: { on_behalf_of: null } }, 400, /^agent\.on_behalf_of must be one of provider, patient$/],
      [{ agent: { callback_number: '5550150' } }, 400, /^agent\.callback_number must match/],
      [{ agent: { npi: '1234567890' } }, 400, /^agent\.npi must be a National Provider Identifier/],
      [{ agent: { tax_id: '1' } }, 400, /^agent\.tax_id must have 9 digits/],
      [
        { agent: { disclosure: { deny: ['email', 'shoe'] } } },
        400,
        /^agent\.disclosure\.deny\[1\] must be a topic/,
      ],
      [{ agent: { language_model: 'echo' } }, 400, /^agent\.language_model must be one of/],
      [{ agent: { language: 'x' } }, 400, /^agent\.language must be a language tag/],
      [
        { agent: { speech_hints: Array.from({ length: 101 }, () => 'x') } },
        400,
        /^agent\.speech_hints must have at most 100 entries$/,
      ],
      [{ recording_retention_days: 0 }, 400, /^recording_retention_days must be at least 1$/],
    ])('cannot become %j', async (body, status, detail) => {
      const reply = await patch(api().mine, body);
      expect([reply.status, reply.json.detail]).toEqual([status, expect.stringMatching(detail)]);
    });

    test('are read by a viewer and changed by owners only', async () => {
      const { mine } = api();
      const read = await api().ask('GET', pathOf(mine), mine.viewer);
      expect([read.status, read.json.role]).toEqual([200, 'viewer']);
      const refused = await patch(mine, { name: 'x' }, mine.viewer);
      expect([refused.status, refused.json.detail]).toEqual([
        403,
        'Only an owner or a manager of the project may do this',
      ]);
    });
  });

  test('tell their usage of the days that are asked for', async () => {
    const project = await api().newProject();
    const usage = (query: string) =>
      api().ask('GET', `/admin/projects/${project.projectId}/usage${query}`, project.viewer);
    const three = await usage('?from=2026-03-01&to=2026-03-03');
    expect(three.status).toBe(200);
    expect(three.json.days.map(({ day }: { day: string }) => day)).toEqual([
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
    ]);
    expect(three.json.total).toMatchObject({ tasks_created: 0, estimated_cost: { aws: 0, carrier: 0 } });
    expect((await usage('')).json.days).toHaveLength(31);
    for (const [query, detail] of [
      ['?from=2026-03-02&to=2026-03-01', 'from must not be after to'],
      ['?from=2026-01-01&to=2026-02-01', 'from and to must not be more than 30 days apart'],
      ['?from=2026-02-30', 'from must be a calendar date in the form YYYY-MM-DD'],
    ]) {
      const refused = await usage(String(query));
      expect([refused.status, refused.json.detail]).toEqual([400, detail]);
    }
  });

  test('one may list the projects one is in, page by page, and no others', async () => {
    const founder = await api().tokenOf(`founder.${uuidv7()}@clinic.example.com`);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      ids.push((await api().ask('POST', '/admin/projects', founder, { name })).json.id);
    }
    const first = await api().ask('GET', '/admin/projects?limit=2', founder);
    const second = await api().ask(
      'GET',
      `/admin/projects?limit=2&cursor=${first.json.next_cursor}`,
      founder,
    );
    expect(first.headers.get('link')).toContain('/admin/projects?limit=2&cursor=');
    const listed = [...first.json.projects, ...second.json.projects];
    expect([listed.length, new Set(listed.map(({ id }) => id)), second.json.next_cursor]).toEqual([
      3,
      new Set(ids),
      null,
    ]);
    const foreign = await api().ask(
      'GET',
      `/admin/projects?cursor=${first.json.next_cursor}`,
      api().mine.owner,
    );
    expect(foreign.status).toBe(400);
  });
}
