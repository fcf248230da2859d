import { createHash } from 'node:crypto';
import styles from './dashboard.css?raw';
import script from './dashboard.js?raw';

/** Inlined in every page, so that the first view takes one request. */
export const inlineStyles = styles;

/** The Content-Security-Policy source that allows exactly this text as inline styles. */
export const inlineStylesSource = `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;

/** The name contains part of the content's hash: it may be cached forever, and a new script has a new name. */
export const scriptName = `dashboard-${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`;

export const scriptText = script;
