import type { Alarms } from './alarms.ts';
import type { Stage } from './stage.ts';

/** What every construct of the service is built with. */
export interface ServiceContext {
  readonly stage: Stage;
  readonly alarms: Alarms;
  /** Directory that holds one folder per bundled function. */
  readonly bundlesDir: string;
}
