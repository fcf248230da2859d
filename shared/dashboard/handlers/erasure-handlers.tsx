import type { Hono } from 'hono';
import { erasePatientOf, eraseTaskOf } from '#shared/admin/erasures.ts';
import { tryToEnqueueErasure } from '#shared/erasure/erasure-queue.ts';
import { getErasureReceipt } from '#shared/erasure/order-erasure.ts';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';
import { ErasurePage, receiptVersion } from '../pages/erasure-page.tsx';
import { authorizeNamedProject, identifierOf } from './request-context.ts';

/** Erasing a patient or task, and its receipt. */
export function addErasurePages(app: Hono<DashboardRequest>, services: DashboardServices): void {
  const { table, links, erasureQueue } = services;

  for (const [name, erase] of [
    ['patient', erasePatientOf],
    ['task', eraseTaskOf],
  ] as const) {
    app.post(`/projects/:project_id/${name}s/:id/erase`, async (context) => {
      const { access } = await authorizeNamedProject(context, services, 'records.erase');
      const { id } = await erase(table, access, identifierOf(context, 'id'));
      await tryToEnqueueErasure(erasureQueue, id);
      return context.redirect(links.erasure(access.project.id, id), 303);
    });
  }

  app.get('/projects/:project_id/erasures/:id', async (context) => {
    const { access, view } = await authorizeNamedProject(context, services, 'tasks.read');
    const receipt = await getErasureReceipt(table, access.project.id, identifierOf(context, 'id'));
    return context.html(<ErasurePage view={view} receipt={receipt} />);
  });

  app.get('/projects/:project_id/erasures/:id/version', async (context) => {
    const { access } = await authorizeNamedProject(context, services, 'tasks.read');
    const receipt = await getErasureReceipt(table, access.project.id, identifierOf(context, 'id'));
    return context.text(receiptVersion(receipt));
  });
}
