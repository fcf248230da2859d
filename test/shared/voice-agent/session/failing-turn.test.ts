import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getConversation, getTurns } from '#shared/table/conversation.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { farewellHandoff } from '#shared/voice-agent/dialogue/farewells.ts';
import { apologyWords } from '#shared/voice-agent/session/apology.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../../support/embedded-table.ts';
import { interrupt, prompt, type RelayWorld, startRelayWorld } from '../../../support/relay-world.ts';
import { StreamingParrot } from '../../../support/streaming-parrot.ts';
import { startTableProxy, type TableProxy } from '../../../support/table-proxy.ts';

const opening = 'This is an automated assistant.';

let embedded: EmbeddedTable;
let proxy: TableProxy;
/** What goes wrong with the operations to come; null for one that goes well. */
let faults: ((operation: string, forward: () => Promise<void>, response: ServerResponse) => Promise<void>)[];

beforeAll(async () => {
  embedded = await startEmbeddedTable();
});
afterAll(() => embedded.stop());

beforeEach(async () => {
  faults = [];
  proxy = await startTableProxy(embedded, async (operation, forward, response) => {
    const fault = faults.shift();
    if (fault === undefined) await forward();
    else await fault(operation, forward, response);
  });
});
afterEach(() => proxy.stop());

const refused = async (_: string, __: () => Promise<void>, response: ServerResponse): Promise<void> => {
  response
    .writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify({ __type: 'com.amazon.coral.validate#AccessDeniedException', message: 'no' }));
};
const throttled = async (_: string, __: () => Promise<void>, response: ServerResponse): Promise<void> => {
  response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' }).end(
    JSON.stringify({
      __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
      message: 'slow down',
    }),
  );
};
const lostAnswer = async (
  _: string,
  forward: () => Promise<void>,
  response: ServerResponse,
): Promise<void> => {
  response.destroy();
  await forward();
};

async function lines(world: RelayWorld): Promise<string[]> {
  const turns = await getTurns(embedded.table, world.call.id);
  return turns.map(({ role, content }) => `${role === 'user' ? 'P' : 'A'}: ${content}`);
}

describe.each([{ isImmediate: true }, { isImmediate: false }])(
  'a table that fails, with %j',
  ({ isImmediate }) => {
    let world: RelayWorld;

    beforeEach(async () => {
      world = await startRelayWorld(embedded.table, {
        model: new StreamingParrot({ isImmediate }),
        through: proxy.table,
      });
      await world.frame(world.setupFrame());
    });

    const kinds = { refused, throttled, lostAnswer };
    const faulty = Object.entries(kinds).flatMap(([name, fault]) =>
      [0, 1, 2, 3].map((at) => ({ name, fault, at })),
    );

    test.each(faulty)('once ($name, operation $at), loses and doubles nothing', async ({ fault, at }) => {
      faults = [
        ...Array.from({ length: at }, () => async (_: string, forward: () => Promise<void>) => forward()),
        fault,
      ];
      await world.frame(prompt('hello there'));
      faults = [];
      expect(await lines(world)).toEqual([`A: ${opening}`, 'P: hello there', 'A: hello there']);
      expect(world.heard()).toBe(`${opening} hello there`);
      await world.frame(prompt('and on'));
      expect((await lines(world)).slice(-2)).toEqual(['P: and on', 'A: and on']);
    });

    test('and goes on failing, has the person asked to say it again', async () => {
      faults = Array.from({ length: 200 }, () => refused);
      await world.frame(prompt('hello there'));
      expect(world.heard()).toBe(`${opening} ${apologyWords}`);
      faults = [];
      await world.frame(prompt('hello there'));
      expect((await lines(world)).slice(-2)).toEqual(['P: hello there', 'A: hello there']);
    });

    test('leaves the other frames without a word, and without an error', async () => {
      faults = Array.from({ length: 200 }, () => refused);
      await world.frame(interrupt('This is'));
      await world.frame({ type: 'dtmf', digit: '1' });
      expect(world.heard()).toBe(opening);
    });

    test('in setup has the session closed, so that the document after it apologizes', async () => {
      const other = await startRelayWorld(embedded.table, {
        model: new StreamingParrot(),
        through: proxy.table,
      });
      faults = Array.from({ length: 200 }, () => refused);
      await other.frame(other.setupFrame());
      expect(other.closed).toEqual([other.connection]);
    });
  },
);

describe('a model that decides at once and fails', () => {
  /** Breaks so often, after it has said something that nobody ever hears. */
  function breaking(times: number): DialogueModel {
    let left = times;
    return {
      name: 'breaking',
      isImmediate: true,
      async *takeTurn({ event }) {
        yield { type: 'say', text: event.type };
        if (event.type !== 'opened' && left > 0) {
          left -= 1;
          throw new Error('broken');
        }
      },
    };
  }

  test('once is asked again', async () => {
    const world = await startRelayWorld(embedded.table, { model: breaking(1) });
    await world.frame(world.setupFrame());
    await world.frame(prompt('hello'));
    expect(await lines(world)).toEqual(['A: opened', 'P: hello', 'A: heard']);
    expect(world.heard()).toBe('opened heard');
  });

  test('for good has the person asked to say it again, then the call is ended', async () => {
    const world = await startRelayWorld(embedded.table, { model: breaking(100) });
    await world.frame(world.setupFrame());
    await world.frame(prompt('hello'));
    expect(await lines(world)).toEqual(['A: opened', 'P: hello', `A: ${apologyWords}`]);
    await world.frame(prompt('hello'));
    expect(world.sent.at(-1)?.frame).toEqual({
      type: 'end',
      handoffData: farewellHandoff({ farewell: 'fault' }),
    });
    expect((await getConversation(embedded.table, world.call.id))?.status).toBe('ended');
  });
});

describe('a line that fails', () => {
  test.each([{ isImmediate: true }, { isImmediate: false }])(
    'does not make a frame fail, with %j',
    async (kind) => {
      let isBroken = false;
      const world = await startRelayWorld(embedded.table, {
        model: new StreamingParrot(kind),
        onSend: () => {
          if (isBroken) throw new Error('the gateway does not answer');
          return true;
        },
      });
      await world.frame(world.setupFrame());
      isBroken = true;
      await world.frame(prompt('hello'));
      isBroken = false;
      await world.frame(prompt('once more'));
      expect((await lines(world)).slice(-2)).toEqual(['P: once more', 'A: once more']);
    },
  );
});
