import type { Role } from './person.ts';

/** What people do in a project. The management API and the dashboard check these, never roles. */
const rolesByPermission = {
  /** Name, settings, overview. */
  'project.read': ['owner', 'manager', 'staff', 'viewer', 'auditor'],
  'settings.change': ['owner', 'manager'],
  'members.read': ['owner', 'manager', 'viewer', 'auditor'],
  'members.change': ['owner'],
  /** Their names and limits; the keys themselves cannot be read. */
  'keys.read': ['owner', 'manager', 'viewer', 'auditor'],
  /** API keys and the signing secrets of webhooks. */
  'keys.change': ['owner'],
  'webhooks.read': ['owner', 'manager', 'viewer', 'auditor'],
  'webhooks.change': ['owner', 'manager'],
  'patients.read': ['owner', 'manager', 'staff', 'viewer'],
  'patients.write': ['owner', 'manager', 'staff'],
  'tasks.read': ['owner', 'manager', 'staff', 'viewer'],
  'tasks.write': ['owner', 'manager', 'staff'],
  /** Patients and tasks, for good. The right to set retention includes the right to erase. */
  'records.erase': ['owner', 'manager'],
  /** All data about a patient, and who saw it, in one file. */
  'records.export': ['owner', 'manager'],
  'opt-outs.read': ['owner', 'manager', 'staff', 'viewer'],
  'opt-outs.change': ['owner', 'manager'],
  /** The project's directory of lines. */
  'destinations.read': ['owner', 'manager', 'staff', 'viewer'],
  'destinations.change': ['owner', 'manager'],
  /** Reusable questions. */
  'templates.read': ['owner', 'manager', 'staff', 'viewer'],
  'templates.change': ['owner', 'manager', 'staff'],
  'audit.read': ['owner', 'manager', 'viewer', 'auditor'],
  /** Who saw which patient. */
  'access.read': ['owner', 'manager', 'auditor'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof rolesByPermission;

export function may(role: Role, permission: Permission): boolean {
  const roles: readonly Role[] = rolesByPermission[permission];
  return roles.includes(role);
}

/** Who may do it, as named in a sentence: "an owner, a manager or staff". */
export function whoMay(permission: Permission): string {
  const names = rolesByPermission[permission].map((role) => roleWords[role]);
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

const roleWords: Record<Role, string> = {
  owner: 'an owner',
  manager: 'a manager',
  staff: 'staff',
  viewer: 'a viewer',
  auditor: 'an auditor',
};
