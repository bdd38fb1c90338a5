import type { Attributes } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type Histogram,
} from '@opentelemetry/sdk-metrics'
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
} from '@opentelemetry/sdk-trace'
import { createTelemetry, type Telemetry, type TelemetryOptions } from '../src/telemetry/index.ts'
import { doorbell } from './doorbell.ts'

export interface Measured {
  readonly telemetry: Telemetry
  readonly tracerProvider: TracerProvider
  /** The finished spans. */
  readonly spans: () => ReadableSpan[]
  /** The only finished span with a name. */
  readonly span: (name: string) => ReadableSpan
  /** The values of a metric by attributes, as `key=value,…`. The value of a histogram is its count. */
  readonly metric: (name: string) => Promise<Readonly<Record<string, number>>>
}

/** Creates telemetry with the SDK and exporters in memory. */
export function measured({
  sampler,
  ...options
}: Partial<TelemetryOptions> & { sampler?: Sampler } = {}): Measured {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(sampler && { sampler }),
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
    exportIntervalMillis: 2 ** 30,
  })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const collect = async () => {
    const { resourceMetrics } = await reader.collect()
    return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
  }
  const spans = () => exporter.getFinishedSpans()
  return {
    telemetry: createTelemetry({ providers: [doorbell], meterProvider, tracerProvider, ...options }),
    tracerProvider,
    spans,
    span(name) {
      const [found, ...others] = spans().filter((span) => span.name === name)
      if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} spans of ${name}`)
      return found
    },
    async metric(name) {
      const found = (await collect()).find(({ descriptor }) => descriptor.name === name)
      const points = (found?.dataPoints ?? []).map(({ attributes, value }): [string, number] => [
        written(attributes),
        typeof value === 'number' ? value : (value as Histogram).count,
      ])
      return Object.fromEntries(points)
    },
  }
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join()
}

export function formatTraceparent(span: ReadableSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
