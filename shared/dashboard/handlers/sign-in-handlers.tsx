import type { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { logError } from '#shared/observability/log.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { safeReturnPath } from '../links.ts';
import { SignedOutPage, WelcomePage } from '../pages/welcome-page.tsx';
import { beginSession, cookieAttributes, cookieName, endSession } from '../session/session.ts';
import { BegunSignIn } from '../sign-in/sign-in.ts';
import type { DashboardContext } from './request-context.ts';

const purpose = 'sign-in';
const lifetimeSeconds = 10 * 60;

/** Sign-in with the identity provider, its callback, keeping the session alive, and sign-out. */
export function addSignInPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { links, sealer, signIn } = services;
  const begunCookie = cookieName('vat_sign_in', links);

  app.get('/sign-in', async (context) => {
    const { begun, address } = await signIn.begin(safeReturnPath(context.req.query('to')));
    const token = await sealer.seal(purpose, begun, lifetimeSeconds);
    setCookie(context, begunCookie, token, cookieAttributes(links, lifetimeSeconds));
    return context.redirect(address.href, 303);
  });

  app.get('/signed-in', async (context) => {
    const begun = await begunSignIn(context);
    if (begun === null) return refuse(context);
    try {
      const person = await signIn.finish(begun, new URL(context.req.url).searchParams);
      await beginSession(context, services, person);
    } catch (error) {
      // By name only: the provider's message may name the person.
      logError('sign-in-failed', error);
      return refuse(context);
    }
    return context.redirect(begun.to === '/' ? links.home : `${links.root}${begun.to}`, 303);
  });

  app.post('/sign-out', async (context) => {
    await endSession(context, services);
    const endAddress = await signIn.endAddress().catch((error: unknown) => {
      logError('sign-out-at-provider-failed', error);
      return null;
    });
    // A page that redirects itself: a form may not redirect to another origin.
    return context.html(<SignedOutPage links={links} endAddress={endAddress} />);
  });

  /** The remaining seconds, for the warning in pages. A POST extends the session. */
  app.on(['GET', 'POST'], '/session', (context) => {
    const session = context.get('session');
    return session === null ? context.text('', 401) : context.text(String(session.secondsLeft));
  });

  const begunSignIn = async (context: DashboardContext): Promise<BegunSignIn | null> => {
    const token = getCookie(context, begunCookie);
    const begun = BegunSignIn.safeParse(token === undefined ? null : await sealer.open(purpose, token));
    return begun.success ? begun.data : null;
  };

  const refuse = (context: DashboardContext) =>
    context.html(
      <WelcomePage
        links={links}
        to="/"
        problem="The sign-in took too long or was canceled, or your email address is not verified. Try again."
      />,
      400,
    );
}
