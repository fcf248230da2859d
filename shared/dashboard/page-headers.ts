import type { MiddlewareHandler } from 'hono';
import { recordingsOrigin } from '#shared/recordings/recording-link.ts';
import { inlineStylesSource } from './assets/served-assets.ts';
import type { DashboardRequest, DashboardServices } from './dashboard-services.ts';

/**
 * Security headers of the dashboard. Pages run only our own script, load only recordings from elsewhere, cannot be
 * framed, and are not cached.
 */
export function pageHeaders({
  links: { isHttps },
  table,
  bucket,
}: Pick<DashboardServices, 'links' | 'table' | 'bucket'>): MiddlewareHandler<DashboardRequest> {
  const headers: Record<string, string> = {
    // Other sites learn nothing. Not `no-referrer`, with which browsers hide the origin of our own forms from us.
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
    const policy = contentSecurityPolicy(await recordingsOrigin(table, bucket));
    context.res.headers.set('Content-Security-Policy', policy);
    if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store');
  };
}

function contentSecurityPolicy(mediaOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${inlineStylesSource}`,
    "img-src 'self' data:",
    `media-src 'self' ${mediaOrigin}`,
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
