import { openReceiver } from '@sallyport/test-support/hosts'
import { unusedPort } from '@sallyport/test-support/services'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { Agent, get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'

const run = (id: number) => ({ type: 'workflow_run.completed', payload: { run: id } })

function metricsUrl(api: Pick<TestApi, 'output'>): string {
  const [url] = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(api.output()) ?? []
  if (url === undefined) throw new Error('No metrics are announced')
  return url
}

/** The values by name and labels, the buckets of histograms left out. */
async function scrape(api: Pick<TestApi, 'output'>): Promise<Map<string, number>> {
  const response = await fetch(metricsUrl(api))
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = (await response.text()).split('\n')
  const values = lines.filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket{'))
  return new Map(
    values.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  )
}

describe('/metrics', () => {
  it('counts deliveries and requests under the documented names', async () => {
    await using api = await startApi({ METRICS_PORT: '0' })
    for (const id of [1, 2, 2]) await api.deliver(run(id))
    await fetch(`${api.base}/webhooks/codehost`, { method: 'POST', body: '{}' })
    for (const path of [
      '/webhooks/made-up',
      '/webhooks/codehost/made-up',
      '/api/v1/users/made-up',
      '/made-up',
      '/health',
    ])
      await fetch(api.base + path, { headers: { traceparent: 'made-up' } })

    const attempts = 'sallyport_attempts_total{provider="codehost",work="notify",outcome="done"}'
    await expect.poll(async () => (await scrape(api)).get(attempts)).toBe(2)
    const metrics = await scrape(api)
    const request = (method: string, route: string, status: number) =>
      `http_server_request_duration_seconds_count{http_request_method="${method}",url_scheme="http",` +
      `http_route="${route}",http_response_status_code="${status}"}`
    expect(Object.fromEntries(metrics)).toMatchObject({
      'sallyport_deliveries_total{provider="codehost",outcome="accepted"}': 2,
      'sallyport_deliveries_total{provider="codehost",outcome="duplicate"}': 1,
      'sallyport_deliveries_total{provider="codehost",outcome="refused"}': 2,
      'sallyport_deliveries_total{provider="unknown",outcome="refused"}': 1,
      'sallyport_verification_failures_total{provider="codehost",reason="missing"}': 1,
      'sallyport_attempts_total{provider="codehost",work="publish",outcome="done"}': 2,
      'sallyport_record_duration_seconds_count{provider="codehost",outcome="recorded"}': 3,
      'sallyport_publish_lag_seconds_count{provider="codehost"}': 2,
      sallyport_inbox_up: 1,
      'sallyport_inbox_events{status="pending"}': 0,
      sallyport_inbox_oldest_pending_age_seconds: 0,
      sallyport_inbox_published_total: 2,
      [request('POST', '/webhooks/:provider', 200)]: 3,
      [request('GET', '/api/v1/users/{id}', 401)]: 1,
      [request('GET', '/health', 200)]: 1,
    })
    expect([...metrics.keys()].join()).not.toContain('made-up')

    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const names = new Set([...metrics.keys()].map((key) => key.replace(/(_count|_sum)?(\{.*)?$/, '')))
    for (const name of names) expect(readme).toContain(`\`${name}\``)
  })

  it('is the only path of its listener, which closes with the server', async () => {
    await using api = await startApi({ METRICS_PORT: '0' })
    const url = metricsUrl(api)
    for (const [method, status] of [
      ['OPTIONS', 204],
      ['POST', 405],
    ] as const) {
      const answer = await fetch(url, { method, headers: { 'x-request-id': 'mine' } })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      expect(answer.headers.get('x-request-id')).toBe('mine')
    }
    for (const path of ['/', '/metrics/', '/health', '/api/v1/users'])
      expect((await fetch(new URL(path, url))).status).toBe(404)
    expect((await fetch(`${api.base}/metrics`)).status).toBe(404)
    // A scraper keeps its connection.
    const agent = new Agent({ keepAlive: true })
    const [response] = (await once(get(url, { agent }), 'response')) as [NodeJS.ReadableStream]
    response.resume()
    await once(response, 'end')
    await api.stop()
    agent.destroy()
    await expect(fetch(url)).rejects.toThrow()
  })

  it('is off by default', async () => {
    await using api = await startApi()
    expect(api.output()).not.toContain('/metrics')
  })

  it('prevents the start when the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    await expect(startApi({ METRICS_PORT: String(port) })).rejects.toThrow(
      `Metrics cannot be served on 127.0.0.1:${port} (EADDRINUSE): choose another METRICS_PORT or METRICS_HOST`,
    )
    taken.close()
  })

  it('closes when the server cannot start', async () => {
    await using taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const METRICS_PORT = String(await unusedPort())
    const starting = startApi({ PORT: String(port), METRICS_PORT })
    await expect(starting).rejects.toThrow('EADDRINUSE')
    await expect(fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).rejects.toThrow()
  })
})

describe('traces', () => {
  it('are exported to a collector, the last ones at the stop', async () => {
    await using collector = await openReceiver(200)
    await using api = await startApi({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_SERVICE_NAME: 'the-entry',
    })
    await api.deliver(run(1))
    await api.stop()
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces']))
    const told = collector.requests.map(({ body }) => body).join()
    for (const one of ['the-entry', 'POST /webhooks/:provider', 'publish events']) expect(told).toContain(one)
    expect(told).not.toContain('a secret of the code host')
  })

  it('do not delay requests while the collector is unavailable', async () => {
    await using collector = await openReceiver('hang')
    await using api = await startApi({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    await api.deliver(run(1))
    await api.stop()
  })
})
