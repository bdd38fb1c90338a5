// A process of its own that sends load: what it costs is not taken from the thread of the server that it measures.
import autocannon from 'autocannon'
import type { LoadJob, LoadReport } from './load-job.ts'

// Nobody is left to tell.
process.once('disconnect', () => {
  process.exit(1)
})

process.once('message', (job) => {
  void autocannon(toOptions(job as LoadJob)).then((result) => {
    const { errors, timeouts, non2xx, requests, duration, latency } = result
    const report: LoadReport = {
      failures: errors + timeouts + non2xx,
      perSecond: requests.total / duration,
      latency: { p50: latency.p50, p99: latency.p99 },
    }
    process.send?.(report, () => {
      process.exit(0)
    })
  })
})

function toOptions({ url, requests, connections, durationMs, amount }: LoadJob): autocannon.Options {
  return {
    url,
    connections,
    requests: requests.map(({ path, method = 'GET', headers = {}, body }) => ({
      path,
      method,
      headers,
      ...(body !== undefined && { body }),
    })),
    ...(amount === undefined ? { duration: durationMs / 1000 } : { amount }),
  }
}
