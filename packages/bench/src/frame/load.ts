// A separate process that generates load, so that the load does not use the thread of the measured server.
import autocannon from 'autocannon'
import type { LoadJob, LoadReport, LoadRequest } from './load-job.ts'
import { numberedDeliveries } from './numbered.ts'

// The parent process has ended.
process.once('disconnect', () => {
  process.exit(1)
})

process.once('message', (job) => {
  void run(job as LoadJob)
})

async function run(job: LoadJob): Promise<void> {
  // The histogram of autocannon has a resolution of one millisecond.
  const times: number[] = []
  const instance = autocannon(toOptions(job), () => undefined)
  instance.on('response', (_client, _status, _bytes, time) => times.push(time))
  const { errors, timeouts, non2xx, requests, duration } = await new Promise<autocannon.Result>((resolve) => {
    instance.on('done', resolve)
  })
  const sorted = Float64Array.from(times).sort()
  const quantile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0
  const report: LoadReport = {
    failures: errors + timeouts + non2xx,
    answered: requests.total,
    value: requests.total / duration,
    latency: { p50: quantile(0.5), p99: quantile(0.99) },
  }
  process.send?.(report, () => {
    process.exit(0)
  })
}

function toOptions({ url, requests, connections, durationMs, amount, rate }: LoadJob): autocannon.Options {
  return {
    url,
    connections,
    requests: requests.map(toRequest),
    ...(amount === undefined ? { duration: durationMs / 1000 } : { amount }),
    ...(rate !== undefined && { overallRate: Math.max(connections, Math.round(rate)) }),
  }
}

function toRequest(request: LoadRequest): autocannon.Request {
  const { path, method = 'GET', headers = {}, body, numbered } = request
  const common = { path, method, headers, ...(body !== undefined && { body }) }
  if (numbered === undefined) return common
  const next = numberedDeliveries(request)
  return { ...common, setupRequest: (settled) => ({ ...settled, ...next() }) }
}
