import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../infra/renew-time-zones.ts', import.meta.url));

const zoneTab = `# ISO code, coordinates, zone, comment
AR\t-3436-05827\tAmerica/Argentina/Buenos_Aires\tmost areas
AR\t-3124-06411\tAmerica/Argentina/Cordoba\tmost areas
AU\t-3352+15113\tAustralia/Sydney\tNew South Wales
AU\t-3157+11551\tAustralia/Perth\tWestern Australia
NI\t+1209-08617\tAmerica/Managua
US\t+404251-0740023\tAmerica/New_York\tEastern
US\t+415100-0873900\tAmerica/Chicago\tCentral
`;

const mapData = `# prefix, zones
1|America/Chicago&America/New_York
1202|America/New_York
1219|America/New_York
1219226|America/Chicago
505|America/Chicago
5411|America/Buenos_Aires
612|Australia/Sydney
614|Australia/Sydney
`;

let directory: string;
let written: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'time-zones-'));
  await writeFile(join(directory, 'zone.tab'), zoneTab);
  await writeFile(join(directory, 'map_data.txt'), mapData);
  const out = join(directory, 'time-zones.ts');
  const files = [
    '--map-data',
    join(directory, 'map_data.txt'),
    '--zone-tab',
    join(directory, 'zone.tab'),
    '--out',
    out,
  ];
  expect((await run(files)).exitCode).toBe(0);
  written = await readFile(out, 'utf8');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test("an area code has the zones of all its exchanges; an area code with its plan's zone is not repeated", () => {
  expect(prefixesOf('America/New_York')).toEqual(['1202']);
  expect(prefixesOf('America/Chicago America/New_York')).toEqual(['1']);
});

test("zones of another country are replaced by the country's own", () => {
  expect(prefixesOf('America/Managua')).toEqual(['505']);
});

test('zones have their current names', () => {
  expect(prefixesOf('America/Argentina/Buenos_Aires')).toEqual(['5411']);
});

test('a prefix of mobile numbers, unlike an area code, has all zones of its country', () => {
  expect(prefixesOf('Australia/Sydney')).toEqual(['612']);
  expect(prefixesOf('Australia/Perth Australia/Sydney')).toEqual(['61']);
});

test('countries have their zones, and the sources are named with their license', () => {
  expect(written).toContain('"AU": "Australia/Sydney Australia/Perth"');
  expect(written).toContain('Apache License 2.0');
});

test('a missing or wrong file ends it with exit code 2 and a message', async () => {
  expect(await run([])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--map-data is required'),
  });
  const zones = join(directory, 'zone.tab');
  expect(
    await run(['--map-data', zones, '--zone-tab', zones, '--out', join(directory, 'none.ts')]),
  ).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not a line of map data') });
});

function run(args: string[]): Promise<{ exitCode: number; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], (error, _, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), stderr });
    });
  });
}

function prefixesOf(zones: string): string[] {
  return new RegExp(`"${zones}": "([\\d ]+)"`).exec(written)?.[1]?.split(' ') ?? [];
}
