import { beforeEach, describe, expect, test } from 'vitest';
import type { AnsweredBy } from '#shared/domain/call.ts';
import { defaultCallPolicy } from '#shared/domain/project.ts';
import { getConversation, putAnsweredBy } from '#shared/table/conversation.ts';
import { builtInModel } from '#shared/voice-agent/built-in-model/decide.ts';
import { governed } from '#shared/voice-agent/core/conversation-core.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { farewellHandoff } from '#shared/voice-agent/dialogue/farewells.ts';
import { loadCallResult } from '#shared/voice-agent/result/call-result.ts';
import { checkNoInput } from '#shared/voice-agent/session/check-no-input.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { prompt, type RelayFixture, startRelayFixture } from '../../../support/relay-fixture.ts';

const embedded = await forThisFile(startEmbeddedTable());

/** Longer than the opening takes, and the silence after it. */
const longMs = 30_000;

describe.each([{ isImmediate: true }, { isImmediate: false }])('the verdict, with %j', ({ isImmediate }) => {
  let asked: (AnsweredBy | null)[];
  let fixture: RelayFixture;
  const model: DialogueModel = {
    name: 'listener',
    isImmediate,
    async *takeTurn({ answeredBy }) {
      asked.push(answeredBy);
      yield { type: 'say', text: 'I see.' };
    },
  };

  beforeEach(async () => {
    asked = [];
    fixture = await startRelayFixture(embedded.table, { model });
    await fixture.frame(fixture.setupFrame());
  });

  test('is known to the model from the next turn on', async () => {
    await fixture.frame(prompt('hello'));
    await putAnsweredBy(embedded.table, fixture.call.id, 'human');
    for (const words of ['is it you', 'go on', 'and then', 'goodbye']) await fixture.frame(prompt(words));
    expect(asked).toEqual([null, null, 'human', 'human', 'human', 'human']);
  });

  test('is known after silence, however late it came', async () => {
    for (const words of ['hello', 'is it you', 'go on', 'and then']) await fixture.frame(prompt(words));
    await putAnsweredBy(embedded.table, fixture.call.id, 'machine');
    fixture.pass(longMs);
    await checkNoInput(fixture.services, fixture.looks.at(-1)?.message ?? { call_id: fixture.call.id });
    expect(asked.at(-1)).toBe('machine');
  });

  test('changes nothing of the conversation itself', async () => {
    const before = await getConversation(embedded.table, fixture.call.id);
    await putAnsweredBy(embedded.table, fixture.call.id, 'fax');
    await putAnsweredBy(embedded.table, fixture.call.id, 'fax');
    expect(await getConversation(embedded.table, fixture.call.id)).toEqual(before);
    await fixture.frame(prompt('hello'));
    expect(asked.at(-1)).toBe('fax');
  });
});

describe('a greeting without a mailbox, with a machine verdict', () => {
  test.each([
    ['leaves the number to call back', 'leave-message'],
    ['leaves nothing', 'hang-up'],
  ] as const)('%s when the project wants it (%s), and ends as a voicemail', async (_, voicemail) => {
    const fixture = await startRelayFixture(embedded.table, {
      model: governed(builtInModel),
      project: { call_policy: { ...defaultCallPolicy, voicemail } },
    });
    await fixture.frame(fixture.setupFrame());
    await putAnsweredBy(embedded.table, fixture.call.id, 'machine');
    await fixture.frame(prompt('Casey here. You know what to do.'));
    fixture.pass(longMs);
    await checkNoInput(fixture.services, fixture.looks.at(-1)?.message ?? { call_id: fixture.call.id });
    const end = fixture.sent.at(-1)?.frame;
    expect(end).toEqual({
      type: 'end',
      handoffData: farewellHandoff({
        farewell: 'voicemail',
        ...(voicemail === 'leave-message' ? { callback_number: '+12025550199' } : {}),
      }),
    });
    const result = await loadCallResult(embedded.table, fixture.call.id);
    expect(result).toMatchObject({ ending: 'voicemail', disclosures: [] });
    expect(fixture.heard()).not.toContain('Rivera');
  });
});
