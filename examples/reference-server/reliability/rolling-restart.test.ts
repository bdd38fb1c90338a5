import { openPostgres } from '@sallyport/sql/postgres'
import { describeWith } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../test/server-process.ts'
import { openBalancer } from './balancer.ts'
import { expectPublished } from './bus.ts'
import { startLoad } from './load.ts'
import { startMembers } from './member.ts'

const secret = 'the secret of the code host'

describe('three gateways that are restarted one after the other', { timeout: 600_000 }, () => {
  describeWith('postgres', (postgres) => {
    it('answer every request with 200 through a load balancer with health checks', async () => {
      await using data = await temporaryDirectory()
      await using members = await startMembers(['gateway', 'gateway', 'gateway', 'dispatcher'], {
        ...{ DATA_DIR: data.path, DATABASE_URL: postgres().url, TRUST_PROXY: '1' },
        ...{ WEBHOOK_SECRET_CODEHOST: secret, LOG_LEVEL: 'silent', DRAIN_SECONDS: '3' },
      })
      const gateways = members.slice(0, 3)
      await using balancer = await openBalancer({ servers: () => gateways, probeMs: 200 })
      // Connections that are used all the time, and such that are idle for a while. The client sends nothing twice by
      // itself, and a sender ends with its first request that has no answer.
      const options = { base: balancer.base, secret, genuine: true, senders: 32, pauseMs: 400 }
      const startedAt = performance.now()
      const load = startLoad(options)
      const acknowledged = async (more: number) => {
        const before = load.acknowledged.size
        await expect.poll(() => load.acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + more)
      }
      await acknowledged(100)
      for (const gateway of gateways) {
        expect(await gateway.end('SIGTERM')).toBe(0)
        await acknowledged(50)
        await gateway.start()
        await acknowledged(50)
      }
      await load.stop()
      expect(members.filter(({ isRunning }) => !isRunning).map(({ role }) => role)).toEqual([])
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)

      // It once closed idle connections at the signal, under what was on its way to it.
      expect(load.cutOff).toBe(0)
      expect([...load.answers]).toEqual([['200 accepted', load.signed.size]])
      expect(load.acknowledged.size).toBe(load.signed.size)
      for (const connections of balancer.connections) expect(connections).toBeGreaterThan(0)
      const database = await openPostgres(postgres())
      await expectPublished(database.bus(), load)
      await database.close()
      process.stdout.write(
        `All of ${load.signed.size} requests in ${seconds} s were answered with 200, over ${balancer.connections.join(' + ')} connections\n`,
      )
    })
  })
})
