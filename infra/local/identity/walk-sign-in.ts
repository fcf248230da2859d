import type { DemoPerson } from './demo-people.ts';
import { personField } from './pages.ts';

const mostRedirects = 10;

/**
 * Walks through a local stack's sign-in like a browser: follows redirects with cookies, chooses the person on the
 * sign-in page, and ends at the provider's final redirect.
 *
 * @param address of the authorization request
 */
export async function choosePerson(address: string, person: DemoPerson): Promise<void> {
  const browser = new Browser();
  const page = await browser.open(address);
  const { status } = await browser.open(page.address, new URLSearchParams({ [personField]: person.subject }));
  if (status !== 200) throw new Error(`the sign-in of ${person.name} ended with status ${status}`);
}

/** The parts of a browser that a sign-in needs. It visits a single provider, so cookies are stored by name alone. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async open(address: string, form?: URLSearchParams): Promise<{ address: string; status: number }> {
    let next = address;
    let body = form;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const response = await fetch(next, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body === undefined ? {} : { body }),
      });
      await response.arrayBuffer();
      this.#keepCookies(response.headers);
      const location = response.headers.get('location');
      if (location === null) return { address: next, status: response.status };
      next = new URL(location, next).href;
      body = undefined;
    }
    throw new Error(`the sign-in led on to more than ${mostRedirects} addresses`);
  }

  #keepCookies(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      if (name === undefined || value === undefined) continue;
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
