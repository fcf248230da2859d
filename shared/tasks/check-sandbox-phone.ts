import { ServiceError } from '#shared/domain/errors.ts';
import type { Project } from '#shared/domain/project.ts';

/**
 * Throws `forbidden` for a project of the sandbox where no sandbox phone is deployed: none of its tasks could be
 * carried out, and people would wait for them.
 */
export function checkSandboxPhone({ carrier }: Pick<Project, 'carrier'>, hasSandboxPhone: boolean): void {
  if (carrier === 'sandbox' && !hasSandboxPhone) {
    throw new ServiceError(
      'forbidden',
      'This is a sandbox project, and this deployment has no sandbox phone',
    );
  }
}
