import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getConversation } from '#shared/table/conversation.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { farewellHandoff } from '#shared/voice-agent/dialogue/farewells.ts';
import { apologyWords } from '#shared/voice-agent/session/apology.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../../support/embedded-table.ts';
import { interrupt, prompt, type RelayFixture, startRelayFixture } from '../../../support/relay-fixture.ts';
import { StreamingEchoModel } from '../../../support/streaming-echo-model.ts';
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

describe.each([{ isImmediate: true }, { isImmediate: false }])(
  'a failing table, with %j',
  ({ isImmediate }) => {
    let fixture: RelayFixture;

    beforeEach(async () => {
      fixture = await startRelayFixture(embedded.table, {
        model: new StreamingEchoModel({ isImmediate }),
        through: proxy.table,
      });
      await fixture.frame(fixture.setupFrame());
    });

    const kinds = { refused, throttled, lostAnswer };
    const faulty = Object.entries(kinds).flatMap(([name, fault]) =>
      [0, 1, 2, 3].map((at) => ({ name, fault, at })),
    );

    test.each(faulty)('once ($name, operation $at), loses and duplicates nothing', async ({ fault, at }) => {
      faults = [
        ...Array.from({ length: at }, () => async (_: string, forward: () => Promise<void>) => forward()),
        fault,
      ];
      await fixture.frame(prompt('hello there'));
      faults = [];
      expect(await fixture.lines()).toEqual([`A: ${opening}`, 'P: hello there', 'A: hello there']);
      expect(fixture.heard()).toBe(`${opening} hello there`);
      await fixture.frame(prompt('and on'));
      expect((await fixture.lines()).slice(-2)).toEqual(['P: and on', 'A: and on']);
    });

    test('permanently, has the person asked to repeat', async () => {
      faults = Array.from({ length: 200 }, () => refused);
      await fixture.frame(prompt('hello there'));
      expect(fixture.heard()).toBe(`${opening} ${apologyWords}`);
      faults = [];
      await fixture.frame(prompt('hello there'));
      expect((await fixture.lines()).slice(-2)).toEqual(['P: hello there', 'A: hello there']);
    });

    test('ignores the other frames without an error', async () => {
      faults = Array.from({ length: 200 }, () => refused);
      await fixture.frame(interrupt('This is'));
      await fixture.frame({ type: 'dtmf', digit: '1' });
      expect(fixture.heard()).toBe(opening);
    });

    test('in setup has the session closed, so the next document apologizes', async () => {
      const other = await startRelayFixture(embedded.table, {
        model: new StreamingEchoModel(),
        through: proxy.table,
      });
      faults = Array.from({ length: 200 }, () => refused);
      await other.frame(other.setupFrame());
      expect(other.closed).toEqual([other.connection]);
    });
  },
);

describe('a failing immediate model', () => {
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

  test('is asked again once', async () => {
    const fixture = await startRelayFixture(embedded.table, { model: breaking(1) });
    await fixture.frame(fixture.setupFrame());
    await fixture.frame(prompt('hello'));
    expect(await fixture.lines()).toEqual(['A: opened', 'P: hello', 'A: heard']);
    expect(fixture.heard()).toBe('opened heard');
  });

  test('permanently has the person asked to repeat, then the call ends', async () => {
    const fixture = await startRelayFixture(embedded.table, { model: breaking(100) });
    await fixture.frame(fixture.setupFrame());
    await fixture.frame(prompt('hello'));
    expect(await fixture.lines()).toEqual(['A: opened', 'P: hello', `A: ${apologyWords}`]);
    await fixture.frame(prompt('hello'));
    expect(fixture.sent.at(-1)?.frame).toEqual({
      type: 'end',
      handoffData: farewellHandoff({ farewell: 'fault' }),
    });
    expect((await getConversation(embedded.table, fixture.call.id))?.status).toBe('ended');
  });
});

describe('a failing line', () => {
  test.each([{ isImmediate: true }, { isImmediate: false }])(
    'does not make a frame fail, with %j',
    async (kind) => {
      let isBroken = false;
      const fixture = await startRelayFixture(embedded.table, {
        model: new StreamingEchoModel(kind),
        onSend: () => {
          if (isBroken) throw new Error('the gateway does not answer');
          return true;
        },
      });
      await fixture.frame(fixture.setupFrame());
      isBroken = true;
      await fixture.frame(prompt('hello'));
      isBroken = false;
      await fixture.frame(prompt('once more'));
      expect((await fixture.lines()).slice(-2)).toEqual(['P: once more', 'A: once more']);
    },
  );
});
