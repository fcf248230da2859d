import type { Hono } from 'hono';
import type { DashboardRequest, DashboardServices } from '../dashboard-services.ts';

/** The form of a new task. */
export function addNewTaskPages(_app: Hono<DashboardRequest>, _services: DashboardServices): void {}
