import { Member } from '#shared/domain/person.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import { indexNames } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryAll, queryPrefix } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemCheck, itemDelete, itemPut, when } from './transaction-items.ts';
import { wholeItems } from './whole-items.ts';

/** In the project's partition, so that its members are one query; an index finds a person's projects. */
function memberKey(projectId: string, email: string): PrimaryKey {
  return { pk: `PROJECT#${projectId}`, sk: `MEMBER#${email}` };
}

/** Adds a member, on the condition that the person is none yet. */
export function addMemberItem(table: Table, member: Member): TransactionItem {
  return itemPut(table, memberItem(member), isNew);
}

/** Changes a member's role, on the condition that it is still the one that was read. */
export function replaceMemberItem(table: Table, previous: Member, next: Member): TransactionItem {
  return itemPut(table, memberItem(next), when('#role = :role', { role: previous.role }));
}

/** Removes a member, on the condition that the role is still the one that was read. */
export function removeMemberItem(table: Table, member: Member): TransactionItem {
  return itemDelete(
    table,
    memberKey(member.project_id, member.email),
    when('#role = :role', { role: member.role }),
  );
}

/** Requires that the member has the role. */
export function checkMemberItem(table: Table, { project_id, email, role }: Member): TransactionItem {
  return itemCheck(table, memberKey(project_id, email), when('#role = :role', { role }));
}

/** Strongly consistent: a removed member is out at once. */
export async function getMember(table: Table, projectId: string, email: string): Promise<Member | null> {
  return getItem(table, memberKey(projectId, email), Member.parse);
}

/** All members of a project, by email address. */
export async function listMembers(table: Table, projectId: string): Promise<Member[]> {
  const items = await queryPrefix(table, `PROJECT#${projectId}`, 'MEMBER#');
  return items.map((item) => Member.parse(item));
}

/** A person's memberships, the newest project first. Eventually consistent. */
export async function listMemberships(table: Table, email: string): Promise<Member[]> {
  const rows = await queryAll(table, {
    IndexName: indexNames.rows,
    KeyConditionExpression: 'project_pk = :person',
    ExpressionAttributeValues: { ':person': personPartition(email) },
    ScanIndexForward: false,
  });
  return (await wholeItems(table, rows)).map((item) => Member.parse(item));
}

function memberItem(member: Member): Record<string, unknown> {
  return {
    ...memberKey(member.project_id, member.email),
    type: 'member',
    project_pk: personPartition(member.email),
    project_sk: member.project_id,
    ...member,
  };
}

function personPartition(email: string): string {
  return `PERSON#${email}`;
}
