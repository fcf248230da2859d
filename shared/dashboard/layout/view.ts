import type { Links } from '../links.ts';
import type { Session } from '../session/session.ts';

/** Who looks at a page, and from where its links go. */
export interface View {
  readonly links: Links;
  readonly session: Session;
  /** In which moments are told: the reader's IANA time zone, as far as their browser has said it. */
  readonly timeZone: string;
}
