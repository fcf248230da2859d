import type { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { logError } from '#shared/observability/log.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { safeReturnPath } from '../links.ts';
import { SignedOutPage, WelcomePage } from '../pages/welcome-page.tsx';
import { beginSession, cookieAttributes, endSession } from '../session/session.ts';
import { BegunSignIn } from '../sign-in/sign-in.ts';
import type { DashboardContext } from './request-context.ts';

const cookieName = 'vat_sign_in';
const purpose = 'sign-in';
const lifetimeSeconds = 10 * 60;

/** Signing in at the identity provider, coming back from there, and signing out. */
export function addSignInPages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { links, sealer, signIn } = services;

  app.get('/sign-in', async (context) => {
    const { begun, address } = await signIn.begin(safeReturnPath(context.req.query('to')));
    const token = await sealer.seal(purpose, begun, lifetimeSeconds);
    setCookie(context, cookieName, token, cookieAttributes(links, lifetimeSeconds));
    return context.redirect(address.href, 303);
  });

  app.get('/signed-in', async (context) => {
    const begun = await begunSignIn(context);
    if (begun === null) return refuse(context);
    try {
      const person = await signIn.finish(begun, new URL(context.req.url).searchParams);
      await beginSession(context, services, person);
    } catch (error) {
      // By name only: what the provider says may name the person.
      logError('sign-in-failed', error);
      return refuse(context);
    }
    return context.redirect(begun.to === '/' ? links.home : `${links.root}${begun.to}`, 303);
  });

  app.post('/sign-out', async (context) => {
    endSession(context, links);
    const endAddress = await signIn.endAddress().catch((error: unknown) => {
      logError('sign-out-at-provider-failed', error);
      return null;
    });
    // A page that goes on by itself: a form may not be redirected to another origin.
    return context.html(<SignedOutPage links={links} endAddress={endAddress} />);
  });

  const begunSignIn = async (context: DashboardContext): Promise<BegunSignIn | null> => {
    const token = getCookie(context, cookieName);
    const begun = BegunSignIn.safeParse(token === undefined ? null : await sealer.open(purpose, token));
    return begun.success ? begun.data : null;
  };

  const refuse = (context: DashboardContext) =>
    context.html(
      <WelcomePage
        links={links}
        to="/"
        problem="The sign-in took too long, was broken off, or your email address is not verified. Try again."
      />,
      400,
    );
}
