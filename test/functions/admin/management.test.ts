import { forThisFile } from '../../support/lifetime.ts';
import { type ManagementApi, startManagementApi } from '../../support/management-api.ts';
import { destinationSuite } from './destinations.ts';
import { liveGrantSuite } from './live-grants.ts';
import { optOutSuite } from './opt-outs.ts';
import { projectSuite } from './projects.ts';
import { recordSuite } from './records.ts';
import { roleSuite } from './roles.ts';
import { twoProjectsSuite } from './two-projects.ts';

const started = await forThisFile(startManagementApi());

const api = (): ManagementApi => started;
projectSuite(api);
recordSuite(api);
optOutSuite(api);
destinationSuite(api);
liveGrantSuite(api);
roleSuite(api);
twoProjectsSuite(api);
