import { mkdirSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Locator,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { birthTerm } from '#shared/domain/search-terms.ts';
import { findByTerm } from '#shared/table/search-term.ts';
import { demoPatient, demoTasks } from '../../infra/local/demo/scenario.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../infra/local/demo/webhook-receiver.ts';
import { chromiumPath } from './chromium.ts';
import { eventually, newTestClient, stack, stackTable, type TestClient } from './stack.ts';

/** Two people, each with a browser, not signed in yet. */
export interface Visitors {
  readonly browser: Browser;
  readonly owner: Visitor;
  readonly viewer: Visitor;
  /** What both browsers complained about. */
  complaints(): string[];
  close(): Promise<void>;
}

export async function openVisitors(): Promise<Visitors> {
  const browser = await browserOfWorker();
  const owner = await newVisitor(browser);
  const viewer = await newVisitor(browser);
  return {
    browser,
    owner,
    viewer,
    complaints: () => [...owner.complaints, ...viewer.complaints],
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  };
}

/** People without a project, and a receiver for the webhooks of the one that they will create. */
export interface Newcomers extends Visitors {
  readonly receiver: WebhookReceiver;
  /** The secret that the receiver expects webhooks to be signed with. */
  secret: string;
}

export async function openNewcomers(): Promise<Newcomers> {
  const visitors = await openVisitors();
  const receiver = await startWebhookReceiver(() => newcomers.secret);
  const newcomers: Newcomers = {
    ...visitors,
    receiver,
    secret: '',
    async close() {
      await visitors.close();
      await receiver.stop();
    },
  };
  return newcomers;
}

/** A project whose owner and viewer are signed in. */
export interface Clinic extends Visitors {
  readonly client: TestClient;
  /** Of the project's pages; the first is the overview. */
  readonly address: string;
  /** Registers a patient by the API and returns the identifier. @param changes to the demo's patient */
  register(changes?: Readonly<Record<string, unknown>>): Promise<string>;
  /**
   * Waits until the search finds this many patients born on this day: the stream updates its index a second late.
   */
  untilIndexed(dateOfBirth: string, count: number): Promise<void>;
  /** Creates a task by the API and returns the identifier. @param changes to the demo's first task */
  order(patientId: string, changes?: Readonly<Record<string, unknown>>): Promise<string>;
}

/** @param options of the project */
export async function openClinic(options: Parameters<typeof newTestClient>[0] = {}): Promise<Clinic> {
  const { baseUrl } = stack();
  const client = await newTestClient({
    ...options,
    members: [
      { email: 'owner@clinic.example.com', role: 'owner' },
      { email: 'viewer@clinic.example.com', role: 'viewer' },
    ],
  });
  const visitors = await openVisitors();
  await signInAs(visitors.owner.page, baseUrl, 'Olive Owner');
  await signInAs(visitors.viewer.page, baseUrl, 'Victor Viewer');
  const create = async (path: string, content: object): Promise<string> => {
    const { status, body } = await client.request('POST', path, { project_id: client.projectId, ...content });
    expect(status).toBe(201);
    return body.id;
  };
  return {
    ...visitors,
    client,
    address: `${baseUrl}/dashboard/projects/${client.projectId}`,
    register: (changes = {}) => create('/v1/patient', { ...demoPatient, ...changes }),
    async untilIndexed(dateOfBirth, count) {
      const term = { kind: 'patient', term: birthTerm(dateOfBirth) } as const;
      await eventually('the patients to be in the index', async () => {
        const { ids } = await findByTerm(stackTable(), client.projectId, term, count);
        return ids.length >= count || undefined;
      });
    },
    order: (patient_id, changes = {}) =>
      create('/v1/task', { patient_id, ...demoTasks[0]?.body, ...changes }),
    async close() {
      await visitors.close();
      await client.stop();
    },
  };
}

/** Whether the tests run in this machine's Firefox, for `npm run test:firefox`. */
export const isFirefox = process.env.TEST_BROWSER === 'firefox';

let browserIsOpen: Promise<Browser> | undefined;

/** A worker runs its test files one by one; they share a browser, which ends with the worker. */
async function browserOfWorker(): Promise<Browser> {
  browserIsOpen ??= openBrowser();
  const browser = await browserIsOpen;
  if (browser.isConnected()) return browser;
  browserIsOpen = openBrowser();
  return browserIsOpen;
}

/** A real browser: Chromium from npm, or Firefox. */
async function openBrowser(): Promise<Browser> {
  if (isFirefox) {
    return firefox.launch({
      channel: 'moz-firefox',
      executablePath: fileURLToPath(new URL('./firefox-over-bidi.ts', import.meta.url)),
      env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}` },
      headless: true,
    });
  }
  return chromium.launch({
    // Its own arguments are for a single process on Lambda, and disable what is tested here.
    args: ['--no-sandbox'],
    executablePath: chromiumPath,
    headless: true,
  });
}

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained about: scripts that failed, and what the Content-Security-Policy stopped. */
  readonly complaints: string[];
}

/** A person with their own browser. @param options of the browser, such as its location */
export async function newVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Browsers also report responses with an error status, which tests provoke.
    if (message.type() === 'error' && !message.text().includes('responded with a status of')) {
      complaints.push(message.text());
    }
  });
  return { context, page, complaints };
}

/** Signs in as one of the demo people of the local stack's identity provider. */
export async function signInAs(page: Page, baseUrl: string, name: string): Promise<void> {
  await page.goto(`${baseUrl}/dashboard`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
}

/** What sending one of their forms requires. */
export async function tokenAndCookie({
  context,
  page,
}: Pick<Visitor, 'context' | 'page'>): Promise<[string, string]> {
  const session = (await context.cookies()).find(({ name }) => name === 'vat_session');
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  const token = await page.locator('input[name=form_token]').first().inputValue();
  return [token, `vat_session=${session?.value}`];
}

/** The page's confirmation of what was just done. */
export async function noticeOn(page: Page): Promise<string> {
  return textOf(page.locator('.notice[role=status]'));
}

export async function textOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? '';
}

/** Opens a confirmation, and confirms. */
export async function confirm(page: Page, label: string): Promise<void> {
  const details = page.locator('details.confirm', { hasText: label }).first();
  await details.locator('summary').click();
  await details.getByRole('button').click();
}

/**
 * From now on, records which turns of a conversation are highlighted as they are played, however briefly. `heardOn`
 * returns them.
 */
export async function noteHeard(page: Page): Promise<void> {
  await page.evaluate(`{
    window.heard = [];
    new MutationObserver(() => {
      const text = document.querySelector('.conversation .heard')?.textContent;
      if (text !== undefined && text !== heard.at(-1)) heard.push(text);
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['class'] });
  }`);
}

/** The words of the played turns, in order, once there are this many. */
export async function heardOn(page: Page, count: number): Promise<string[]> {
  return eventually(`${count} turns to be heard`, async () => {
    const heard = z.array(z.string()).parse(await page.evaluate('heard'));
    return heard.length >= count ? heard : null;
  });
}

/** Reloads the page until it shows the text, which another process brings about. */
export async function untilShown(page: Page, text: string): Promise<void> {
  await eventually(text, async () => {
    await page.reload();
    return (await textOf(page.getByRole('main'))).includes(text) ? true : null;
  });
}

/** Checks the page for people with different eyes and screens; with UPDATE_PICTURES=1 also takes screenshots. */
export async function look(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_PICTURES === '1') await takeScreenshots(page, name);
  expect(await accessibilityProblems(page), name).toEqual([]);
  expect(await overflowsOnPhone(page), `${name} is wider than a telephone`).toBe(false);
}

const Violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** Problems that axe finds on the page, in light and in dark mode. */
async function accessibilityProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await page.evaluate(axe.source);
  // Dark mode only changes colors. A released Firefox cannot be told to prefer it.
  const rules = {
    light: {},
    ...(isFirefox ? {} : { dark: { runOnly: ['color-contrast', 'link-in-text-block'] } }),
  };
  for (const [colorScheme, options] of Object.entries(rules) as ['light' | 'dark', object][]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // For rules that hold, axe then collects only one example.
    const asked = JSON.stringify({ resultTypes: ['violations'], ...options });
    const run = `axe.run(${asked}).then((found) => found.violations)`;
    const violations = Violations.parse(await page.evaluate(run));
    for (const { id, nodes } of violations) {
      problems.push(...nodes.map(({ html }) => `${colorScheme}: ${id} in ${html}`));
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return problems;
}

const screenshots = fileURLToPath(new URL('../../.build/screenshots', import.meta.url));

/** Screenshots of the page on a phone and on a desktop, for people to look at. */
async function takeScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  // A screenshot of the whole page shows it from the top, whatever was clicked before.
  await page.evaluate('scrollTo(0, 0)');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${screenshots}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** Whether the page is wider than a phone's screen. */
async function overflowsOnPhone(page: Page): Promise<boolean> {
  await page.setViewportSize({ width: 390, height: 844 });
  const widest = z.number().parse(await page.evaluate('document.documentElement.scrollWidth'));
  await page.setViewportSize({ width: 1280, height: 900 });
  return widest > 390;
}
