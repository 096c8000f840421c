import type { FastifyRequest } from 'fastify';
import type { ExportPlan } from '#application/use-cases/export-drawing.js';
import './callers.js';

/** The plan of who calls; anonymous without a key. */
export const planOf = ({ caller }: FastifyRequest): ExportPlan => caller.plan;
