import { describe, expect, test } from 'vitest';
import { AgentSettings } from '#shared/domain/agent-settings.ts';
import { getConversation, getTurns } from '#shared/table/conversation.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { relaySession } from '#shared/voice-agent/session/relay-session.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { prompt, relayUrl, startRelayFixture } from '../../../support/relay-fixture.ts';

const embedded = await forThisFile(startEmbeddedTable());

/** A model that counts its turns aloud, so that its words tell which model spoke and what it remembers. */
function counting(name: string, isImmediate: boolean): DialogueModel {
  return {
    name,
    isImmediate,
    async *takeTurn({ memory }) {
      const turn = typeof memory === 'number' ? memory + 1 : 1;
      yield { type: 'say', text: `${name} ${turn}` };
      yield { type: 'remember', memory: turn };
    },
  };
}

const models = { model: counting('bedrock', false), builtInModel: counting('built-in', true) };

describe('a conversation', () => {
  test.each([
    ['default', 'built-in'],
    ['built-in', 'built-in'],
    ['language-model', 'bedrock'],
  ] as const)('of a sandbox project that wants %s is held by %s to its end', async (wish, holder) => {
    const project = { agent: AgentSettings.parse({ language_model: wish }) };
    const fixture = await startRelayFixture(embedded.table, { model: models.model, project });
    const session = relaySession({ ...fixture.services, ...models }, relayUrl);
    const frame = (body: object, messageId: string) =>
      session.message({ connectionId: fixture.connection, messageId, body: JSON.stringify(body) });
    await frame(fixture.setupFrame(), 'first');
    expect((await getConversation(embedded.table, fixture.call.id))?.state).toMatchObject({ model: holder });

    const stored = await getProject(embedded.table, fixture.call.project_id);
    if (stored === null) throw new Error('there is no project');
    const other = {
      ...stored.agent,
      language_model: holder === 'bedrock' ? 'built-in' : 'language-model',
    } as const;
    await writeTransaction(embedded.table, [
      replaceProjectItem(embedded.table, stored, { ...stored, agent: other }),
    ]);
    await frame(prompt('hello'), 'second');
    const turns = await getTurns(embedded.table, fixture.call.id);
    expect(turns.map(({ content }) => content)).toEqual([`${holder} 1`, 'hello', `${holder} 2`]);
  });
});
