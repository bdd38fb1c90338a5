import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import { codehost } from '@sallyport/providers/codehost'
import { createGateway, staticSecrets, type GatewayRequest, type Publisher } from '@sallyport/webhooks'
import { createTelemetry, type TelemetryOptions } from '@sallyport/webhooks/telemetry'
import { setImmediate as immediate } from 'node:timers/promises'
import { defineMicro, type Call } from '../frame/micro.ts'

const secret = 'a secret of the code host'
const together = 10

/** A bus that accepts and discards every event. */
const bus: Publisher = { publish: (events) => Promise.resolve(events.map(() => ({ ok: true }))) }

/** Creates an exporter that discards its spans. */
function createDiscardingExporter(): SpanExporter {
  const memory = new InMemorySpanExporter()
  return {
    export(spans, done) {
      memory.export(spans, done)
      memory.reset()
    },
    shutdown: () => memory.shutdown(),
  }
}

const metrics = (): Pick<TelemetryOptions, 'meterProvider'> => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 })
  return { meterProvider: new MeterProvider({ readers: [reader] }) }
}
const traces = (): Pick<TelemetryOptions, 'tracerProvider'> => ({
  tracerProvider: new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter: createDiscardingExporter() })],
  }),
})

export default defineMicro({
  name: 'telemetry',
  what: 'A signed delivery of 21 KB through `gateway.handle`, published to a bus that discards events, sequentially, with one turn of the event loop after every ten.',
  base: 'without',
  operations: together,
  async prepare(): Promise<GatewayRequest> {
    const payload = { filling: 'x'.repeat(21_000) }
    const body = new TextEncoder().encode(JSON.stringify({ type: 'workflow_run.completed', payload }))
    const unsigned = { method: 'POST', headers: new Headers(), body }
    const proof = await codehost.signature.sign(unsigned, secret, Date.now())
    return {
      method: 'POST',
      provider: 'codehost',
      address: '192.0.2.1',
      headers: new Headers({ ...proof, 'x-github-event': 'workflow_run' }),
      readBody(sink) {
        // The sink takes ownership of the bytes.
        sink.push(body.slice())
        return Promise.resolve()
      },
    }
  },
  agree: (result) => {
    const { status, body } = result as { status: number; body: string }
    return { status, body }
  },
  sides: [
    { name: 'without', does: 'Only the gateway.', setup: (request) => handling(request) },
    {
      name: 'without an SDK',
      does: 'With telemetry but without an SDK: no metrics, no traces.',
      setup: (request) => handling(request, {}),
    },
    { name: 'metrics', does: 'Metrics with the SDK.', setup: (request) => handling(request, metrics()) },
    {
      name: 'metrics and traces',
      does: 'Both with the SDK. Every delivery is sampled, and the exporter discards the spans.',
      setup: (request) => handling(request, { ...metrics(), ...traces() }),
    },
  ],
})

function handling(request: GatewayRequest, options?: Omit<TelemetryOptions, 'providers'>): Call {
  const providers = [codehost]
  const telemetry = options && createTelemetry({ providers, ...options })
  const gateway = createGateway({
    providers,
    secrets: staticSecrets({ codehost: [secret] }),
    publisher: telemetry?.publisher(bus) ?? bus,
    ...(telemetry && { tracer: telemetry.tracer, observe: telemetry.observe }),
  })
  return async () => {
    let response = await gateway.handle(request)
    for (let further = 1; further < together; further++) response = await gateway.handle(request)
    // Spans are exported on the event loop.
    await immediate()
    return response
  }
}
