import type { Hono } from 'hono';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';

/** The patients of a project, and a new one. */
export function addPatientPages(_app: Hono<DashboardRequest>, _services: DashboardServices): void {}
