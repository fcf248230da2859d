import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type CreatedProject, createProject } from '#shared/projects/create-project.ts';
import { openTable, type Table } from '#shared/table/client.ts';
import { keysInMemory, type LocalKeys } from '../../infra/local/servers/kms-server.ts';
import type { EmbeddedTable } from './embedded-table.ts';
import { localKms } from './local-kms.ts';
import { projectServices } from './project-services.ts';

/** A table whose projects have keys, with the test's own KMS. */
export interface SealedTable {
  readonly table: Table;
  readonly keys: LocalKeys;
  /** Reads items as they are stored. */
  readonly raw: DynamoDBClient;
  /** How often KMS was asked for a data key. */
  readonly opened: () => number;
  /** The same table as another instance of a function sees it, without remembered keys. */
  readonly anew: () => Table;
  newProject(): Promise<CreatedProject>;
  stop(): void;
}

export async function sealTable(embedded: EmbeddedTable): Promise<SealedTable> {
  const keys = keysInMemory();
  const kms = localKms(keys);
  const client = new DynamoDBClient({
    endpoint: embedded.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { name } = await embedded.newTable();
  let opened = 0;
  const anew = (): Table =>
    openTable(name, client, (dataKey) => {
      opened += 1;
      return kms.openDataKey(dataKey);
    });
  const table = anew();
  const services = { ...projectServices(table), keys: kms.keyMaker(name) };
  return {
    table,
    keys,
    raw: client,
    opened: () => opened,
    anew,
    newProject: () => createProject(services, { name: 'Test', carrier: 'sandbox', webhook: null }),
    stop: () => client.destroy(),
  };
}
