import { createTelemetry, type Telemetry } from '@sallyport/webhooks/telemetry'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestListener } from 'node:http'
import type { Config } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { measureRequests } from './requests.ts'

export interface ServerTelemetry extends Telemetry {
  /** Where `/metrics` is, if it is anywhere. */
  readonly metricsPort: number | undefined
  /** A listener whose requests are timed. */
  readonly requests: (listener: RequestListener) => RequestListener
  /** Ends the listener of metrics, and hands over the last traces if that does not take long. */
  readonly close: () => Promise<void>
}

/**
 * What the server tells of itself: metrics at `METRICS_PORT`, traces to `OTEL_EXPORTER_OTLP_ENDPOINT`. Without these
 * settings, both go to whatever SDK the operator has registered with OpenTelemetry's API, which may be none.
 *
 * @throws Error when the port of metrics cannot be listened on
 */
export async function openTelemetry(
  { settings, providers }: Pick<Config, 'settings' | 'providers'>,
  log: Logger,
): Promise<ServerTelemetry> {
  const { METRICS_PORT: port, METRICS_HOST: host, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings
  // The SDK is large, and loaded only for who has asked for it.
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
      // What cannot be handed over soon is lost: a stop does not wait for a collector.
      const patience = new AbortController()
      const handedOver = tracing?.shutdown().catch(() => undefined)
      const impatience = sleep(settings.SHUTDOWN_SECONDS * 50, undefined, { signal: patience.signal })
      await Promise.race([handedOver, impatience])
      patience.abort()
      await impatience.catch(() => undefined)
    },
  }
}
