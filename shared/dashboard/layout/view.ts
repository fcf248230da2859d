import type { Links } from '../links.ts';
import type { Session } from '../session/session.ts';

/** A page's reader, and the base of its links. */
export interface View {
  readonly links: Links;
  readonly session: Session;
  /** Time zone of displayed times: the reader's, as reported by their browser. */
  readonly timeZone: string;
}
