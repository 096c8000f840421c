import type { FastifyRequest } from 'fastify';
import type { ExportPlan } from '#application/use-cases/export-drawing.js';

/** Who calls, as far as plans are concerned: with a plan itself, or with an account that has one. */
interface PlannedCaller {
  readonly plan?: ExportPlan;
  readonly account?: { readonly plan: ExportPlan };
}

/** The plan of who calls; anonymous where nobody has said who it is. */
export function planOf(request: FastifyRequest): ExportPlan {
  const { caller } = request as FastifyRequest & { readonly caller?: PlannedCaller | null };
  return caller?.plan ?? caller?.account?.plan ?? 'anonymous';
}
