import { createTelemetry, type Telemetry } from '@sallyport/webhooks/telemetry'
import { waitAtMost } from '@sallyport/internal/deadline'
import type { RequestListener } from 'node:http'
import type { Config } from '../config/config.ts'
import type { Logger } from '../logging/log.ts'
import { measureRequests } from './requests.ts'

export interface ServerTelemetry extends Telemetry {
  /** The port of `/metrics`; undefined without metrics. */
  readonly metricsPort: number | undefined
  /** Wraps a listener and measures its requests. */
  readonly requests: (listener: RequestListener) => RequestListener
  /** Closes the metrics listener and exports the last traces within a timeout. */
  readonly close: () => Promise<void>
}

/**
 * Opens metrics at `METRICS_PORT` and traces to `OTEL_EXPORTER_OTLP_ENDPOINT`. Without these settings, both use the
 * OpenTelemetry SDK that the operator has registered, if any.
 * @throws Error when the port of metrics is unavailable
 */
export async function openTelemetry(
  { settings, providers }: Pick<Config, 'settings' | 'providers'>,
  log: Logger,
): Promise<ServerTelemetry> {
  const { METRICS_PORT: port, METRICS_HOST: host, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings
  // The SDK is large and loads on demand.
  const metrics =
    port === undefined ? undefined : await (await import('./metrics.ts')).openMetrics({ port, host }, log)
  const tracing =
    endpoint === undefined ? undefined : (await import('./tracing.ts')).openTracing(endpoint, settings, log)
  return {
    ...createTelemetry({
      providers,
      ...(metrics && { meterProvider: metrics.provider }),
      ...(tracing && { tracerProvider: tracing }),
    }),
    metricsPort: metrics?.port,
    requests: measureRequests(metrics?.provider, log),
    async close() {
      await metrics?.close()
      // An unavailable collector must not delay the stop.
      const exported = tracing?.shutdown().catch(() => undefined)
      await waitAtMost(settings.SHUTDOWN_SECONDS * 50, exported)
    },
  }
}
