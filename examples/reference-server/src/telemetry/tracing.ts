import { diag, DiagLogLevel } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Settings } from '../config/settings.ts'
import type { Logger } from '../logging/log.ts'
import { version } from '../version.ts'

/** Exports traces to a collector, by OTLP over HTTP with protobuf. */
export function openTracing(
  endpoint: string,
  settings: Pick<Settings, 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'>,
  log: Logger,
): TracerProvider {
  // Reports an unavailable collector. The rest of a long message may contain headers of a request.
  const warn = (message: string) => {
    log.warn({ telemetry: message.slice(0, 200) }, 'Traces cannot be exported')
  }
  const silent = () => undefined
  diag.setLogger(
    { error: warn, warn, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  return new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.OTEL_SERVICE_NAME,
      'service.version': version,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
    ],
  })
}
