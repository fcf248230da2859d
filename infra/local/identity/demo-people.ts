import type { Role } from '../../../shared/domain/person.ts';

/** An invented person who can sign in at the local stack. */
export interface DemoPerson {
  readonly subject: string;
  readonly name: string;
  readonly email: string;
}

/** By the role that they have in the demo project. */
export const demoPeople: Readonly<Record<Role, DemoPerson>> = {
  owner: { subject: 'demo-owner', name: 'Olive Owner', email: 'owner@clinic.example.com' },
  manager: { subject: 'demo-manager', name: 'Mara Manager', email: 'manager@clinic.example.com' },
  staff: { subject: 'demo-staff', name: 'Sam Staff', email: 'staff@clinic.example.com' },
  viewer: { subject: 'demo-viewer', name: 'Victor Viewer', email: 'viewer@clinic.example.com' },
  auditor: { subject: 'demo-auditor', name: 'Ava Auditor', email: 'auditor@clinic.example.com' },
};

export function demoPersonOf(subject: string): DemoPerson | undefined {
  return Object.values(demoPeople).find((person) => person.subject === subject);
}
