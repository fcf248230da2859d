import { ServiceError } from '#shared/domain/errors.ts';
import type { Project } from '#shared/domain/project.ts';

/** Throws `forbidden` for a sandbox project if no sandbox phone is deployed: its tasks could never be carried out. */
export function checkSandboxPhone({ carrier }: Pick<Project, 'carrier'>, hasSandboxPhone: boolean): void {
  if (carrier === 'sandbox' && !hasSandboxPhone) {
    throw new ServiceError(
      'forbidden',
      'This is a sandbox project, and this deployment has no sandbox phone',
    );
  }
}
