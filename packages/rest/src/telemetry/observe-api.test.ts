import { AsyncLocalStorage } from 'node:async_hooks'
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type ContextManager,
} from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterEach, expect, it } from 'vitest'
import { createApi } from '../api/api.ts'
import { createFetchHandler } from '../fetch/index.ts'
import { createRouteGroup } from '../route-group.ts'
import { getTraceFields, observeApi } from './index.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

const storage = new AsyncLocalStorage<Context>()
const asyncContexts: ContextManager = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, run, self, ...parameters) => storage.run(active, () => run.apply(self as never, parameters)),
  bind: (_, target) => target,
  enable: () => asyncContexts,
  disable: () => asyncContexts,
}

afterEach(() => {
  context.disable()
  propagation.disable()
})

function observe() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
    exportIntervalMillis: 2 ** 30,
  })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const route = createRouteGroup({ access: 'public' })
  const logged: object[] = []
  const api = createApi({
    onResponse: () => logged.push(getTraceFields()),
    routes: [
      route.get('/users/{id}', { operationId: 'getUser' }, ({ params }) => {
        if (params.id === 'broken') throw new Error('secret')
      }),
    ],
  })
  const handle = createFetchHandler(observeApi(api, { tracerProvider, meterProvider }), { mount: '/v1' })
  return {
    send: (path: string, init: RequestInit = {}) => handle(new Request(`https://a.test/v1${path}`, init)),
    spans: () => exporter.getFinishedSpans(),
    logged,
    durations: async () => {
      const { resourceMetrics } = await reader.collect()
      const [metric] = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
      return { name: metric?.descriptor.name, points: metric?.dataPoints.map(({ attributes }) => attributes) }
    },
  }
}

it('describes a request by the semantic conventions', async () => {
  const { send, spans, durations } = observe()
  const headers = { 'user-agent': 'test', 'x-request-id': 'r1' }
  await send('/users/7?token=secret', { headers })
  const [span] = spans()
  expect(span).toMatchObject({ name: 'GET /v1/users/{id}', kind: SpanKind.SERVER })
  const response = {
    'http.request.method': 'GET',
    'url.scheme': 'https',
    'http.route': '/v1/users/{id}',
    'http.response.status_code': 204,
  }
  expect(span?.attributes).toEqual({
    ...response,
    'url.path': '/v1/users/7',
    'user_agent.original': 'test',
    'http.response.header.x-request-id': ['r1'],
  })
  expect(await durations()).toEqual({ name: 'http.server.request.duration', points: [response] })
})

it('marks failures of the server as errors, and those of the client not', async () => {
  const { send, spans, durations } = observe()
  await send('/users/broken')
  await send('/nothing')
  await send('/users/7', { method: 'BREW' })
  expect(spans().map(({ name, status }) => [name, status.code])).toEqual([
    ['GET /v1/users/{id}', SpanStatusCode.ERROR],
    ['GET', SpanStatusCode.UNSET],
    ['HTTP', SpanStatusCode.UNSET],
  ])
  expect(spans()[0]?.attributes).toMatchObject({ 'error.type': '500' })
  expect(JSON.stringify(spans().map(({ attributes, events }) => [attributes, events]))).not.toContain(
    'secret',
  )
  expect(JSON.stringify(await durations())).not.toContain('BREW')
})

it('continues the trace of the caller, and gives its fields to the log', async () => {
  context.setGlobalContextManager(asyncContexts)
  propagation.setGlobalPropagator({
    inject: () => undefined,
    extract: (active, carrier, getter) => {
      const value = getter.get(carrier, 'TraceParent')
      return value === undefined
        ? active
        : trace.setSpanContext(active, { traceId, spanId, traceFlags: 1, isRemote: true })
    },
    fields: () => [],
  })
  const { send, spans, logged } = observe()
  await send('/users/7', { headers: { traceparent: `00-${traceId}-${spanId}-01` } })
  await send('/users/7')
  const [first, second] = spans()
  expect(first?.spanContext().traceId).toBe(traceId)
  expect(first?.parentSpanContext?.spanId).toBe(spanId)
  expect(second?.spanContext().traceId).not.toBe(traceId)
  expect(logged[0]).toEqual({ trace_id: traceId, span_id: first?.spanContext().spanId, trace_flags: '01' })
})

it('has no fields for a log without a span', () => {
  expect(getTraceFields()).toEqual({})
})
