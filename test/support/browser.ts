import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';
import * as z from 'zod/mini';

/** A real browser, which npm brings. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    // Its own arguments are for Lambda, where one process must do, and switch off what is tested here.
    args: ['--no-sandbox'],
    executablePath: await chromium.executablePath(),
    headless: true,
  });
}

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser complained about: scripts that failed, and what the Content-Security-Policy stopped. */
  readonly complaints: string[];
}

/** Somebody with a browser of their own. */
export async function newVisitor(browser: Browser): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser also says when an answer has an error status, which tests provoke.
    if (message.type() === 'error' && !message.text().includes('responded with a status of')) {
      complaints.push(message.text());
    }
  });
  return { context, page, complaints };
}

/** Signs in by choosing one of the demo people, as the local stack's identity provider offers them. */
export async function signInAs(page: Page, baseUrl: string, name: string): Promise<void> {
  await page.goto(`${baseUrl}/dashboard`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
}

const Violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** What axe finds wrong with the page, in light and in dark. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(axe.source);
    const violations = Violations.parse(await page.evaluate('axe.run().then((found) => found.violations)'));
    for (const { id, nodes } of violations) {
      problems.push(...nodes.map(({ html }) => `${colorScheme}: ${id} in ${html}`));
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  return problems;
}

const screenshots = fileURLToPath(new URL('../../.build/screenshots', import.meta.url));

/** Pictures of the page as a telephone and as a desk show it, for people to look at. */
export async function takeScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: `${screenshots}/${name}-${width}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${screenshots}/${name}-dark.png`, fullPage: true });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Whether the page is wider than the screen of a telephone. */
export async function overflowsOnPhone(page: Page): Promise<boolean> {
  await page.setViewportSize({ width: 390, height: 844 });
  const widest = z.number().parse(await page.evaluate('document.documentElement.scrollWidth'));
  await page.setViewportSize({ width: 1280, height: 900 });
  return widest > 390;
}
