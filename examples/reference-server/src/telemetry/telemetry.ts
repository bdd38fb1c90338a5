import { createRequestObserver, type RequestObserver } from '@sallyport/rest/telemetry'
import { createTelemetry, type Telemetry } from '@sallyport/webhooks/telemetry'
import { waitAtMost } from '@sallyport/internal/deadline'
import type { Config } from '../config/config.ts'
import type { Logger } from '../logging/log.ts'

export interface ServerTelemetry extends Telemetry {
  /** The port of `/metrics`; undefined without metrics. */
  readonly metricsPort: number | undefined
  readonly requests: RequestObserver
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
    requests: createRequestObserver({
      ...(metrics && { meterProvider: metrics.provider }),
      getRoute: getWebhookRoute,
      onEnd({ response, ...request }) {
        log.debug({ requestId: response.getHeader('x-request-id'), ...request }, 'Request')
      },
    }),
    async close() {
      await metrics?.close()
      // An unavailable collector must not delay the stop.
      const exported = tracing?.shutdown().catch(() => undefined)
      await waitAtMost(settings.SHUTDOWN_SECONDS * 50, exported)
    },
  }
}

function getWebhookRoute(path: string): string | undefined {
  if (/^\/webhooks\/[^/]+$/.test(path)) return '/webhooks/:provider'
  return /^\/webhooks\/[^/]+\/[^/]+$/.test(path) ? '/webhooks/:provider/:endpoint' : undefined
}
