#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod/mini';

/*
 * Starts the Firefox in FIREFOX as Playwright starts a browser: with its arguments, and the address to connect to on
 * the error output. In between, it responds to the WebDriver BiDi commands that a released Firefox does not know yet.
 * Playwright sends them for every page, whether or not a test needs them.
 */

/** A page then keeps the machine's preferred color scheme, which is light without a desktop. */
const unknownToFirefox: readonly string[] = ['emulation.setMediaFeaturesOverride'];

const Command = z.object({ id: z.int(), method: z.string() });

function isForUs(data: string): z.infer<typeof Command> | null {
  const command = Command.safeParse(JSON.parse(data));
  return command.success && unknownToFirefox.includes(command.data.method) ? command.data : null;
}

function connect(client: WebSocket, address: string): void {
  const firefox = new WebSocket(address, { perMessageDeflate: false });
  const waiting: string[] = [];
  firefox.on('open', () => {
    for (const data of waiting.splice(0)) firefox.send(data);
  });
  client.on('message', (raw: RawData) => {
    const data = String(raw);
    const ours = isForUs(data);
    if (ours !== null) client.send(JSON.stringify({ type: 'success', id: ours.id, result: {} }));
    else if (firefox.readyState === WebSocket.OPEN) firefox.send(data);
    else waiting.push(data);
  });
  firefox.on('message', (raw: RawData) => client.send(String(raw)));
  firefox.on('close', () => client.close());
  client.on('close', () => firefox.close());
}

/** The address of a server between a client and Firefox. */
async function serve(firefoxAddress: string): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  server.on('connection', (client, { url = '' }) => connect(client, `${firefoxAddress}${url}`));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `ws://127.0.0.1:${address.port}`;
}

const firefox = spawn(process.env.FIREFOX ?? 'firefox', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => firefox.kill(signal));
firefox.on('exit', (code) => process.exit(code ?? 1));
for await (const line of createInterface(firefox.stderr)) {
  const listening = /^WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line)?.[1];
  process.stderr.write(
    listening === undefined ? `${line}\n` : `WebDriver BiDi listening on ${await serve(listening)}\n`,
  );
}
