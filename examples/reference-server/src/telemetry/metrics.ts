import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { getRequestId } from '@sallyport/rest/node'
import type { Logger } from '../logging/log.ts'
import { formatAuthority } from '../http/authority.ts'

const text = { 'content-type': 'text/plain; charset=utf-8' }

export interface Metrics {
  readonly provider: MeterProvider
  readonly port: number
  readonly close: () => Promise<void>
}

/**
 * Serves metrics in the text format of Prometheus at `/metrics` on a separate port.
 * @throws Error when the port is unavailable
 */
export async function openMetrics(
  { port, host }: { readonly port: number; readonly host: string },
  log: Logger,
): Promise<Metrics> {
  // The server of the exporter answers every method, and its metric names lack units.
  const reader = new PrometheusExporter({ preventServerStart: true })
  const provider = new MeterProvider({ readers: [reader] })

  const server = createServer((request, response) => {
    const { method = 'GET', url = '' } = request
    response.setHeader('X-Request-Id', getRequestId(request))
    const [path] = url.split('?', 1)
    if (path !== '/metrics') {
      response.writeHead(404, text).end('Not found\n')
      return
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD, OPTIONS')
      if (method === 'OPTIONS') response.writeHead(204).end()
      else response.writeHead(405, text).end('Method not allowed\n')
      return
    }
    reader.collect().then(
      ({ resourceMetrics, errors }) => {
        for (const error of errors) log.warn({ err: error }, 'A metric cannot be collected')
        response
          .writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
          .end(prometheusText(resourceMetrics))
      },
      (error: unknown) => {
        log.error({ err: error }, 'Metrics cannot be collected')
        response.writeHead(500).end()
      },
    )
  })
  server.listen({ host, port })
  await once(server, 'listening').catch((error: unknown) => {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new Error(
      `Metrics cannot be served on ${formatAuthority(host, port)} (${code}): choose another METRICS_PORT or METRICS_HOST`,
      { cause: error },
    )
  })
  return {
    provider,
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await provider.shutdown()
    },
  }
}

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

/** The words of Prometheus for units. */
const units: ReadonlyMap<string, string> = new Map([
  ['s', 'seconds'],
  ['By', 'bytes'],
])

function withUnit<Metric extends MetricData>(metric: Metric): Metric {
  const { name, unit } = metric.descriptor
  const suffix = units.get(unit)
  return {
    ...metric,
    descriptor: { ...metric.descriptor, unit: '', name: suffix === undefined ? name : `${name}.${suffix}` },
  }
}
