import type { MiddlewareHandler } from 'hono';
import { inlineStylesSource } from './assets/served-assets.ts';
import type { DashboardRequest } from './dashboard-services.ts';
import type { Links } from './links.ts';

/**
 * What every answer of the dashboard tells the browser. Pages run nothing but our own script, take in nothing from
 * elsewhere, stand in no frame, and are kept nowhere.
 */
export function pageHeaders({ isHttps }: Links): MiddlewareHandler<DashboardRequest> {
  const headers: Record<string, string> = {
    'Content-Security-Policy': contentSecurityPolicy,
    // Other sites learn nothing. Not `no-referrer`: with it browsers hide the origin of our own forms from us.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
    if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store');
  };
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src ${inlineStylesSource}`,
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
