import { beforeEach, describe, expect, test } from 'vitest';
import type { OutboundRelayFrame } from '#shared/carrier/relay-frames.ts';
import { getConversation } from '#shared/table/conversation.ts';
import { ConversationState } from '#shared/voice-agent/dialogue/conversation-state.ts';
import { farewellHandoff } from '#shared/voice-agent/dialogue/farewells.ts';
import { apologyWords } from '#shared/voice-agent/session/apology.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { prompt, type RelayFixture, startRelayFixture } from '../../../support/relay-fixture.ts';
import { openingWords, StreamingEchoModel } from '../../../support/streaming-echo-model.ts';

const embedded = await forThisFile(startEmbeddedTable());
let echoModel: StreamingEchoModel;
let fixture: RelayFixture;

beforeEach(async () => {
  echoModel = new StreamingEchoModel();
  fixture = await startRelayFixture(embedded.table, { model: echoModel });
  await fixture.frame(fixture.setupFrame());
});

function framesAfterOpening(): OutboundRelayFrame[] {
  return fixture.sent.slice(2).map(({ frame }) => frame);
}

describe('a hanging model', () => {
  test('before it speaks is stopped, and the person is asked to repeat', async () => {
    const other = await startRelayFixture(embedded.table, { model: echoModel, longestTurnMs: 300 });
    await other.frame(other.setupFrame());
    await other.frame(prompt('| never'));
    expect(other.heard()).toBe(`${openingWords} ${apologyWords}`);
    expect(echoModel.stopped).toBe(1);
  });

  test('while it speaks is stopped, and its words stand', async () => {
    const other = await startRelayFixture(embedded.table, { model: echoModel, longestTurnMs: 300 });
    await other.frame(other.setupFrame());
    await other.frame(prompt('one two @ | never'));
    expect(other.heard()).toBe(`${openingWords} one two`);
    const conversation = await getConversation(embedded.table, other.call.id);
    expect(conversation).toMatchObject({ answering: null });
    expect(ConversationState.parse(conversation?.state).record.answers).toHaveLength(1);
  });
});

describe('a failing model', () => {
  test('before it speaks has the person asked to repeat, and the second time the call ends', async () => {
    await fixture.frame(prompt('! never'));
    expect((await fixture.lines()).at(-1)).toBe(`A: ${apologyWords}`);
    expect(framesAfterOpening().at(-1)).toEqual({ type: 'text', token: '', last: true });
    await fixture.frame(prompt('! again'));
    expect(framesAfterOpening().at(-1)).toEqual({
      type: 'end',
      handoffData: farewellHandoff({ farewell: 'fault' }),
    });
    expect((await getConversation(embedded.table, fixture.call.id))?.status).toBe('ended');
  });

  test('while it speaks keeps its words, and the call continues', async () => {
    await fixture.frame(prompt('one two ! three'));
    expect((await fixture.lines()).at(-1)).toBe('A: one two');
    expect(framesAfterOpening().at(-1)).toEqual({ type: 'text', token: '', last: true });
    await fixture.frame(prompt('and on'));
    expect((await fixture.lines()).at(-1)).toBe('A: and on');
  });

  test('after it has spoken keeps its decisions', async () => {
    await fixture.frame(prompt('one @ !'));
    expect((await fixture.lines()).at(-1)).toBe('A: one');
    const state = ConversationState.parse((await getConversation(embedded.table, fixture.call.id))?.state);
    expect(state.record.answers).toHaveLength(1);
  });
});
