import type { RunningSide } from '../frame/http.ts'
import { load } from '../frame/load-job.ts'
import { defineTrial } from '../frame/trial.ts'
import { createRunLoad } from '../webhooks/delivery.ts'
import { openStage, startPeer, type Stage } from '../webhooks/stage.ts'
import { readCpuTime, readCpuTimeByName } from './processor-time.ts'

interface Replicas extends Stage {
  readonly running: readonly RunningSide[]
}

const loadOne = ({ url }: RunningSide, durationMs: number) =>
  load({ url, requests: [createRunLoad()], connections: 32, durationMs })

export default defineTrial<Replicas>({
  name: 'replicas',
  what: 'Deliveries of 21 KB to one, two and three gateways on one PostgreSQL, with 32 connections each. Gateways, load generators and database share the cores of this machine. The CPU time of PostgreSQL is that of all its processes.',
  unit: 'deliveries/s',
  base: '1 gateway',
  async prepare() {
    const stage = await openStage()
    const running: RunningSide[] = []
    const close = async () => {
      for (const { stop } of running) await stop()
      await stage.close()
    }
    try {
      const environment = { INBOX: 'postgres', DATABASE_URL: await stage.databaseUrl() }
      for (let started = 0; started < 3; started++) running.push(await startPeer('gateway', environment))
      // The first load warms up the JIT compiler and is not counted.
      for (const one of running) await loadOne(one, 1000)
      return { ...stage, running, close }
    } catch (error) {
      await close()
      throw error
    }
  },
  release: ({ close }) => close(),
  sides: [1, 2, 3].map((count) => ({
    name: `${count} gateway${count === 1 ? '' : 's'}`,
    does: 'Each gateway has a dispatcher to a bus that discards events, and a pool of ten connections.',
    async turn({ running }, turnMs) {
      const chosen = running.slice(0, count)
      const pids = chosen.flatMap(({ pid }) => pid ?? [])
      const before = [readCpuTime(pids), readCpuTimeByName('postgres')] as const
      const reports = await Promise.all(chosen.map((one) => loadOne(one, turnMs)))
      const value = reports.reduce((sum, report) => sum + report.value, 0)
      const deliveries = reports.reduce((sum, { answered }) => sum + answered, 0)
      return {
        value,
        latency: {
          p50: Math.max(...reports.map(({ latency }) => latency.p50)),
          p99: Math.max(...reports.map(({ latency }) => latency.p99)),
        },
        also: {
          'gateway CPU ms each': (readCpuTime(pids) - before[0]) / deliveries,
          'PostgreSQL CPU ms each': (readCpuTimeByName('postgres') - before[1]) / deliveries,
        },
      }
    },
  })),
})
