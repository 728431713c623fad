import type { Metrics } from '../metrics/metrics.ts'
import type { Tracing } from '../traces/tracing.ts'

export function requestedOf(
  metrics: Pick<Metrics, 'requested'> | undefined,
  tracing: Pick<Tracing, 'requested'> | undefined,
): Metrics['requested'] | undefined {
  if (!metrics || !tracing) return metrics?.requested ?? tracing?.requested
  return (request) => {
    metrics.requested(request)
    tracing.requested(request)
  }
}
