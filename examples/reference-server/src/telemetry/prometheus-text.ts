import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'

const serializer = new PrometheusSerializer(undefined, false, undefined, true, true)

/**
 * Formats metrics as Prometheus text. Adds units to the names, as the specification requires and the serializer does not.
 *
 * @see https://opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics/
 */
export function prometheusText({ resource, scopeMetrics }: ResourceMetrics): string {
  const named = scopeMetrics.map(({ scope, metrics }) => ({ scope, metrics: metrics.map(withUnit) }))
  return `${serializer.serialize({ resource, scopeMetrics: named }).trimEnd()}\n`
}

function withUnit<Metric extends MetricData>(metric: Metric): Metric {
  const { name, unit } = metric.descriptor
  return {
    ...metric,
    descriptor: { ...metric.descriptor, unit: '', name: unit === 's' ? `${name}.seconds` : name },
  }
}
