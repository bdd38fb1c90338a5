import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '@sallyport/sql/postgres'
import {
  describeNeeding,
  describeWith,
  natsServers,
  openNatsServer,
  unusedPort,
} from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../test/server-process.ts'
import { openBalancer } from './balancer.ts'
import { without } from './bus.ts'
import { startMembers, type Member } from './member.ts'
import { startSenders } from './senders.ts'
import { idsInStream } from './stream.ts'

const secret = 'the secret of the code host'
const rate = Number(process.env['RELIABILITY_RATE'] ?? 200)
const roles = ['gateway', 'gateway', 'gateway', 'dispatcher', 'dispatcher', 'drainer'] as const

async function killAndStart(...members: readonly Member[]): Promise<void> {
  await Promise.all(
    members.map(async (member) => {
      expect(await member.end('SIGKILL')).toBeNull()
      await member.start()
    }),
  )
}

describe('three gateways, two dispatchers and a drainer', { timeout: 600_000 }, () => {
  describeWith('postgres', (postgres) => {
    describeNeeding(natsServers, (command) => {
      it('publish all acknowledged deliveries once despite kills and an outage of the bus', async () => {
        await using nats = await openNatsServer(command, await unusedPort())
        await using data = await temporaryDirectory()
        await using members = await startMembers(roles, {
          DATA_DIR: data.path,
          DATABASE_URL: postgres().url,
          ...{ BUS_URL: nats.url, QUEUE_URL: nats.url, QUEUE_PILOTS: 'codehost' },
          ...{ WEBHOOK_SECRET_CODEHOST: secret, LOG_LEVEL: 'silent' },
        })
        const [gateway1, gateway2, gateway3, dispatcher1, dispatcher2, drainer] = members
        await using balancer = await openBalancer({ servers: () => [gateway1, gateway2, gateway3] })
        const database = await openPostgres(postgres())
        const inbox = database.inbox()

        const startedAt = performance.now()
        const senders = startSenders({ base: balancer.base, secret, rate, senders: 20 })
        const acknowledged = async (more: number) => {
          const before = senders.acknowledged.size
          await expect
            .poll(() => senders.acknowledged.size, { timeout: 60_000 })
            .toBeGreaterThan(before + more)
        }
        await acknowledged(100)
        await killAndStart(gateway1, dispatcher1)

        // The bus and the queue refuse every connection, and come back with what is on their disk.
        await nats.kill()
        await acknowledged(50)
        nats.restart()
        await killAndStart(gateway2, drainer)

        // The servers do not answer for twenty seconds, and then process what they received in that time. Clients that
        // timed out or were killed send again.
        const away = sleep(20_000)
        nats.pause()
        await acknowledged(50)
        await killAndStart(gateway3, dispatcher2, drainer)
        await acknowledged(50)
        await away
        nats.resume()
        await killAndStart(dispatcher1)
        await acknowledged(100)
        const { requests, seconds } = await senders.stop()

        // A failure may wait for as long as the bus was away, and longer, until it is tried again.
        const left = async () => {
          const { events } = await inbox.stats()
          return { pending: events.pending, queued: events.queued }
        }
        await expect.poll(left, { timeout: 180_000, interval: 500 }).toEqual({ pending: 0, queued: 0 })
        expect(members.filter(({ isRunning }) => !isRunning).map(({ role }) => role)).toEqual([])
        const { events, published } = await inbox.stats()
        const ids = await idsInStream(nats.url, 'SALLYPORT')
        await database.close()

        expect(events.dead).toBe(0)
        const usual = ['200 accepted', '200 duplicate', '503 INBOX_UNAVAILABLE']
        expect(without(senders.answers.keys(), usual)).toEqual([])
        expect(without(senders.acknowledged.keys(), ids)).toEqual([])
        expect(without(ids, senders.sent)).toEqual([])
        expect(new Set(ids).size).toBe(ids.length)
        // A delivery may have been recorded whose sender never learned of it.
        expect(ids.length).toBe(published)
        expect(ids.length).toBeGreaterThanOrEqual(senders.acknowledged.size)
        expect(ids.length).toBeLessThanOrEqual(senders.sent.size)
        expect([...senders.acknowledged.values()].some((times) => times > 1)).toBe(true)
        for (const kind of ['workflow_run.completed', 'package.published'])
          expect(ids.some((id) => id.startsWith(`codehost:${kind}:`))).toBe(true)
        const answered = [...senders.answers.values()].reduce((sum, times) => sum + times, 0)
        const lasted = (performance.now() - startedAt) / 1000
        process.stdout.write(
          [
            `Acknowledged ${senders.acknowledged.size} deliveries in ${seconds.toFixed(0)} s`,
            `(${(senders.acknowledged.size / seconds).toFixed(0)}/s), in ${requests} requests: ${requests - answered}`,
            `without an answer, ${answered - senders.acknowledged.size} answered once more. All ${ids.length} events`,
            `were on the stream, once, after ${lasted.toFixed(0)} s\n`,
          ].join(' '),
        )
      })
    })
  })
})
