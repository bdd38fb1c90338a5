import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { expect, it, vi } from 'vitest'
import { createApi } from '../api/api.ts'
import { createNodeListener } from '../node/node-listener.ts'
import { createRouteGroup } from '../route-group.ts'
import { createRequestObserver } from './index.ts'

const reader = new PeriodicExportingMetricReader({
  exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
  exportIntervalMillis: 2 ** 30,
})
const meterProvider = new MeterProvider({ readers: [reader] })

it('measures every request of a server by its route and status', async () => {
  const onEnd = vi.fn()
  const reached = Promise.withResolvers<undefined>()
  const { observe, onRoute } = createRequestObserver({
    ...{ meterProvider, onEnd },
    getRoute: (path) => (path.startsWith('/files/') ? '/files/{name}' : undefined),
  })
  const route = createRouteGroup({ access: 'public' })
  const api = createApi({
    onRoute,
    routes: [
      route.get('/users/{id}', { operationId: 'getUser' }, () => undefined),
      route.get('/slow', { operationId: 'wait' }, () => {
        reached.resolve(undefined)
        return new Promise<never>(() => undefined)
      }),
    ],
  })
  const server = createServer(observe(createNodeListener(api, { mount: '/v1' }))).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  await fetch(`${origin}/v1/users/7?token=secret`)
  await fetch(`${origin}/files/secret`)
  await fetch(`${origin}/v1/users/7`, { method: 'PROPFIND' })
  const aborted = httpRequest(`${origin}/v1/slow`).on('error', () => undefined)
  aborted.end()
  await reached.promise
  aborted.destroy()
  await vi.waitFor(() => {
    expect(onEnd).toHaveBeenCalledTimes(4)
  })
  server.close()

  const { resourceMetrics } = await reader.collect()
  const [metric] = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
  expect(metric?.descriptor.name).toBe('http.server.request.duration')
  const common = { 'http.request.method': 'GET', 'url.scheme': 'http' }
  expect(metric?.dataPoints.map(({ attributes }) => attributes)).toEqual([
    { ...common, 'http.route': '/v1/users/{id}', 'http.response.status_code': 204 },
    { ...common, 'http.route': '/files/{name}', 'http.response.status_code': 404 },
    { ...common, 'http.request.method': '_OTHER', 'http.response.status_code': 405 },
    { ...common, 'http.route': '/v1/slow', 'error.type': 'aborted' },
  ])
})
