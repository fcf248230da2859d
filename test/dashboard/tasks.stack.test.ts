import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoTasks } from '../../infra/local/demo/scenario.ts';
import {
  type Clinic,
  heardOn,
  isFirefox,
  look,
  newVisitor,
  noteHeard,
  noticeOn,
  openClinic,
  signInAs,
} from '../support/browser.ts';
import { startTestServer } from '../support/http-server.ts';
import { eventually, newTestClient, stack } from '../support/stack.ts';

const { baseUrl } = stack();

let clinic: Clinic;
let patientId: string;
let tasksAddress: string;
beforeAll(async () => {
  clinic = await openClinic();
  patientId = await clinic.register();
  tasksAddress = `${clinic.address}/tasks`;
});
afterAll(() => clinic?.close());

describe('the tasks of a project at a browser', () => {
  let taskId: string;

  test('complete live, up to the webhook', async () => {
    const { page } = clinic.owner;
    await page.goto(tasksAddress);
    await page.getByText('No tasks yet.').waitFor();
    taskId = await clinic.order(patientId);
    // Without a reload: the page polls.
    await page.getByRole('table').getByRole('cell').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    for (const text of ['Call 1 ended', 'Webhook Delivered']) {
      await page.getByRole('listitem').filter({ hasText: text }).first().waitFor({ timeout: 90_000 });
    }
    await page.locator('audio').waitFor({ timeout: 90_000 });
    await look(page, 'task');
  });

  test('play the recording on demand, with the current turn highlighted', async () => {
    const { page } = clinic.owner;
    const source = await page.locator('audio').getAttribute('src');
    const part = await page.request.get(`${baseUrl}${source}`, { headers: { Range: 'bytes=0-3' } });
    expect(part.status()).toBe(206);
    expect((await part.body()).toString()).toBe('RIFF');
    await noteHeard(page);
    await page.locator('audio').focus();
    await page.keyboard.press('Space');
    const [first, second] = await heardOn(page, 2);
    expect(first).toContain(' · 0:00');
    expect(second).not.toContain(' · 0:00');
    expect(await page.evaluate("document.querySelector('audio').currentTime")).toBeGreaterThan(1);
    // Shows its length.
    expect(await page.locator('audio').getAttribute('preload')).toBe('metadata');

    await page.evaluate("document.querySelector('audio').currentTime = 60");
    const heard = page.locator('.conversation .heard');
    await eventually('a later turn to be heard', async () =>
      Number(await heard.getAttribute('data-offset-ms')) > 30_000 ? true : null,
    );
    expect(await heard.count()).toBe(1);
    // Player and words are both visible, although the page is longer than the window.
    for (const part of [heard, page.locator('audio')]) {
      const box = await part.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
    }
    await page.keyboard.press('Space');
    expect(await page.evaluate("document.querySelector('audio').paused")).toBe(true);
  });

  // Only Chromium lets a test disable a page's policy, which allows recordings only from their real location.
  test.skipIf(isFirefox)('continue a recording after its URL has expired', async () => {
    const source = await clinic.owner.page.locator('audio').getAttribute('src');
    const recording = await (await clinic.owner.page.request.get(`${baseUrl}${source}`)).body();
    const storage = await startStorageOfShortLinks(recording);
    const { context, page } = await newVisitor(clinic.browser, { bypassCSP: true });
    await context.route('**/recording', (route) =>
      route.fulfill({ status: 302, headers: { Location: storage.newLink() } }),
    );
    await signInAs(page, baseUrl, 'Olive Owner');
    await page.goto(`${tasksAddress}/${taskId}`);
    await page.locator('audio').focus();
    await page.keyboard.press('Space');
    await page.locator('.conversation .heard').waitFor();
    storage.expireLinks();
    const movedAtMs = Date.now();
    await page.evaluate("document.querySelector('audio').currentTime = 100");
    const time = async () => Number(await page.evaluate("document.querySelector('audio').currentTime"));
    await eventually('the recording to go on', async () => ((await time()) > 100.5 ? true : null));
    // From the same position, and no faster than real time, however long this waited.
    const heardSeconds = (await time()) - 100;
    expect(heardSeconds).toBeGreaterThan(0);
    expect(heardSeconds).toBeLessThan((Date.now() - movedAtMs) / 1000 + 1);
    expect(storage.refusals()).toBeGreaterThan(0);
    await context.close();
    await storage.stop();
  });

  test('link an answer to its quote', async () => {
    const { page } = clinic.owner;
    const evidence = page.locator('dd .hint a', { hasText: '“' }).first();
    const words = (await evidence.textContent())?.replace(/[“”]/g, '');
    await evidence.click();
    const target = page.locator('.conversation li:target');
    expect(await target.textContent()).toContain(words);
    // The words are played, not just highlighted, and so is any other turn on request.
    const isPlayingAt = async (turn: Locator) => {
      const seconds = Number(await turn.getAttribute('data-offset-ms')) / 1000;
      await eventually(`the recording to play from ${seconds} s`, async () => {
        const time = Number(
          await page.evaluate(
            "(({ paused, currentTime }) => (paused ? -1 : currentTime))(document.querySelector('audio'))",
          ),
        );
        return time >= seconds - 0.2 && time < seconds + 20 ? true : null;
      });
    };
    await isPlayingAt(target);
    const last = page.locator('.conversation li').last();
    await last.getByRole('button', { name: 'Play' }).click();
    await isPlayingAt(last);
    await page.getByRole('combobox', { name: /^Speed/ }).selectOption('1.5');
    expect(await page.evaluate("document.querySelector('audio').playbackRate")).toBe(1.5);
    await page.evaluate("document.querySelector('audio').pause()");
    const file = await page.getByRole('link', { name: /^Download/ }).getAttribute('href');
    const answer = await page.request.get(`${baseUrl}${file}`, { maxRedirects: 0 });
    expect(answer.headers().location).toMatch(/response-content-disposition=attachment/);
    const downloaded = await page.request.get(`${baseUrl}${file}`);
    expect([downloaded.status(), downloaded.headers()['content-disposition']]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="/),
    ]);
  });

  test('are printed, followed up, found in the queue until done, and called again', async () => {
    const { page } = clinic.owner;
    await page.goto(`${tasksAddress}/${taskId}`);
    await page.getByRole('link', { name: 'Printable transcript' }).click();
    await page.getByRole('heading', { name: 'Transcript', level: 1 }).waitFor();
    await look(page, 'transcript');
    await page.getByRole('link', { name: 'Back to the task' }).click();
    await page.getByRole('link', { name: /^(Follow up|Change the follow-up)$/ }).click();
    await look(page, 'follow-up');
    await page.getByLabel('Assignee').selectOption('owner@clinic.example.com');
    await page.getByLabel('Due').fill('2099-12-01');
    await page.getByLabel('Add a note').fill('Ask for the itemized bill.');
    await page.getByRole('button', { name: 'Save follow-up' }).click();
    expect(await noticeOn(page)).toBe('The follow-up was saved.');
    await page.getByText('Ask for the itemized bill.').waitFor();
    await look(page, 'task-followed-up');
    await page.goto(`${tasksAddress}?assigned=me`);
    await page.getByText('1 of 1').waitFor();
    await page.getByText(/owner, due Dec\s1,\s2099/).waitFor();
    await look(page, 'tasks-assigned');
    await page.goto(`${tasksAddress}/${taskId}/follow-up`);
    await page.getByRole('radio', { name: 'Done' }).check();
    await page.getByRole('button', { name: 'Save follow-up' }).click();
    await page.goto(`${tasksAddress}?assigned=me`);
    await page.getByText('No tasks match these filters.').waitFor();

    await page.goto(`${tasksAddress}/${taskId}`);
    await page.locator('#call-again summary').click();
    await page.getByRole('button', { name: 'Call again now' }).click();
    expect(await noticeOn(page)).toBe('The task was created.');
    const again = page.url().split('/').at(-1)?.replace(/\?.*/, '') ?? '';
    expect(again).not.toBe(taskId);
    await clinic.client.request('POST', `/v1/task/${again}/cancel`);
    const file = await page.request.get(`${tasksAddress.replace(/tasks$/, 'tasks-file')}`);
    expect(file.headers()['content-type']).toContain('text/csv');
    expect((await file.text()).trim().split('\r\n')).toHaveLength(3);
  });

  test("are found by status, type, ID and the patient's name, which is in no URL", async () => {
    const { page } = clinic.owner;
    await page.goto(tasksAddress);
    await look(page, 'tasks');
    await page.getByText('More filters').click();
    await page.getByLabel('Status').selectOption('FAILED');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No tasks match these filters.').waitFor();
    await page.getByRole('link', { name: 'Show all tasks' }).click();
    await page.getByText('2 of 2').waitFor();
    for (const [text, heading] of [
      [taskId, demoTasks[0]?.body.task ?? ''],
      [patientId, 'Tasks'],
    ] as const) {
      await page.goto(tasksAddress);
      await page.getByLabel('Search').fill(text);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor();
      expect(page.url()).toContain(text);
    }
    // By a word of its outcome, which the stream has indexed by now.
    await eventually('a task found by its outcome', async () => {
      await page.goto(tasksAddress);
      await page.getByLabel('Search').fill('appointment booked');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
      return (await page.getByRole('table', { name: 'Tasks found' }).count()) === 1 ? true : null;
    });
    expect(page.url()).not.toContain('booked');
    await page.goto(tasksAddress);
    // By keyboard alone: to the search, and from row to row.
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.dataset.row')).toBe('');
    await page.keyboard.press('/');
    await page.keyboard.type('riv');
    expect(await page.getByLabel('Search').inputValue()).toBe('riv');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Tasks of Maya Rivera' }).waitFor();
    expect(page.url()).not.toMatch(/riv/i);
    await look(page, 'found-patients');
    await page.getByRole('link', { name: 'Tasks of Maya Rivera' }).click();
    expect(await page.getByRole('table').getByRole('cell').getByRole('link').count()).toBe(2);
  });

  test('show on a phone when the next call is due', async () => {
    const call_after = new Date(Date.now() + 86_400_000).toISOString();
    await clinic.order(patientId, { call_after });
    const { page } = clinic.owner;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${tasksAddress}?status=PENDING`);
    const cell = page.getByRole('table').locator('td[data-label="Next attempt"] time').first();
    expect(await cell.isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('are canceled by an owner, and not by a viewer, who sees everything else', async () => {
    const cancellable = await clinic.order(patientId);
    const address = `${tasksAddress}/${cancellable}`;
    const { client, viewer } = clinic;
    await viewer.page.goto(address);
    await viewer.page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(await viewer.page.getByText('Cancel task').count()).toBe(0);
    const { page } = clinic.owner;
    await page.goto(address);
    await page.locator('#cancel summary').click();
    await page.getByRole('button', { name: 'Cancel task' }).click();
    await page.getByText('The task was canceled.', { exact: true }).waitFor();
    await eventually('the task to be cancelled', async () => {
      const { body } = await client.request('GET', `/v1/task/${cancellable}`);
      return body.status === 'CANCELLED' ? true : null;
    });
    await look(page, 'task-cancelled');
  });

  test('are erased by an owner, whose receipt shows the progress', async () => {
    const erasable = await clinic.order(patientId);
    const { page } = clinic.owner;
    await page.goto(`${tasksAddress}/${erasable}`);
    await page.locator('#erase summary').click();
    await page.getByRole('button', { name: 'Erase task' }).click();
    await page.getByRole('heading', { name: 'Erasure', level: 1 }).waitFor();
    // Tasks that wait for a call to settle say so; the page follows by itself.
    await page
      .getByText('Being erased')
      .or(page.getByText('Erased', { exact: true }))
      .first()
      .waitFor();
    expect(await page.locator('#receipt').textContent()).toContain(erasable);
    await look(page, 'erasure');
  });

  test('are hidden from other projects', async () => {
    const other = await newTestClient({ members: [{ email: 'owner@clinic.example.com', role: 'owner' }] });
    await other.stop();
    const { page } = clinic.owner;
    const address = `${baseUrl}/dashboard/projects/${other.projectId}/tasks/${taskId}`;
    for (const rest of ['', '/version']) {
      expect((await page.goto(`${address}${rest}`))?.status()).toBe(404);
    }
  });

  test('caused no browser violations', () => {
    expect(clinic.complaints()).toEqual([]);
  });
});

/**
 * Serves a recording in pieces. For its first link, it serves only what a browser prefetches of a long
 * recording: a request for more is answered when the link has expired.
 */
async function startStorageOfShortLinks(recording: Buffer) {
  const [pieceBytes, aheadBytes] = [200_000, 1_000_000];
  const expiry = Promise.withResolvers<void>();
  let links = 0;
  let expired = 0;
  let refused = 0;
  const server = await startTestServer(async ({ url, headers }, response) => {
    const link = Number(url.slice(1));
    const first = Number(/^bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
    if (link === 1 && first >= aheadBytes) await expiry.promise;
    if (link <= expired) {
      refused += 1;
      response.writeHead(403).end();
      return;
    }
    const piece = recording.subarray(first, first + pieceBytes);
    response.writeHead(206, {
      'Content-Type': 'audio/wav',
      'Accept-Ranges': 'bytes',
      'Content-Length': piece.length,
      'Content-Range': `bytes ${first}-${first + piece.length - 1}/${recording.length}`,
    });
    response.end(piece);
  });
  return {
    newLink: () => `${server.origin}/${++links}`,
    expireLinks: () => {
      expired = links;
      expiry.resolve();
    },
    refusals: () => refused,
    stop: () => server.stop(),
  };
}
