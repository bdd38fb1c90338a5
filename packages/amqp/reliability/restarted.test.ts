import { describeNeeding } from '@sallyport/test-services'
import type { PublishResult } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { openAmqp } from '../src/index.ts'
import { bindQueue, eventOf, idsIn } from '../test/fresh.ts'
import { findServer, ownServer } from '../test/server.ts'

const { signal } = new AbortController()
const patience = { timeout: 120_000, interval: 200 }

describeNeeding(
  { what: 'a RabbitMQ to kill', find: findServer, hint: 'install rabbitmq-server' },
  (commands) => {
    it('keeps what a killed server confirmed', async () => {
      await using server = await ownServer(commands)
      const { url } = server
      const told: string[] = []
      const amqp = openAmqp({
        ...{ url, retryMs: 50, timeoutMs: 10_000 },
        onUnavailable: () => told.push('away'),
        onAvailable: () => told.push('back'),
      })
      const bus = amqp.bus()
      await expect.poll(() => bus.ping().then(() => 'ok', String), patience).toBe('ok')
      await bindQueue(url, 'sallyport')
      await server.keepDefinitions()

      const batches = Array.from({ length: 200 }, (_, batch) =>
        Array.from({ length: 20 }, (_, index) => eventOf(`doorbell:${batch}:${index}`)),
      )
      const results: PublishResult[] = []
      const sending = (async () => {
        for (const batch of batches) results.push(...(await bus.publish(batch, signal)))
      })()
      await expect
        .poll(() => results.filter(({ ok }) => ok).length, { ...patience, interval: 1 })
        .toBeGreaterThan(0)
      await server.kill()
      server.restart()
      await sending
      const events = batches.flat()
      const confirmed = events.filter((_, index) => results[index]?.ok === true).map(({ id }) => id)
      const failed = results.filter(({ ok }) => !ok)
      expect(failed.length).toBeGreaterThan(0)
      expect(failed.every((result) => !result.ok && result.retryable)).toBe(true)

      // A server that has only just come up may be slow to confirm thousands at once; what it left out is sent again.
      let again = events.filter((_, index) => results[index]?.ok !== true)
      const failures = async () => {
        const answers = await bus.publish(again, signal)
        again = again.filter((_, index) => answers[index]?.ok !== true)
        return answers.filter(({ ok }) => !ok).slice(0, 3)
      }
      await expect.poll(failures, patience).toEqual([])
      expect(told).toEqual(['away', 'back', 'away', 'back'])
      const queued = await idsIn(url, 'sallyport')
      expect(confirmed.filter((id) => !queued.includes(id))).toEqual([])
      expect([...new Set(queued)].sort()).toEqual(events.map(({ id }) => id).sort())
      // Only what was tried again can be there twice.
      const twice = queued.filter((id, index) => queued.indexOf(id) !== index)
      expect(twice.filter((id) => confirmed.includes(id))).toEqual([])
      await amqp.close()
    })

    it('says that a server without room takes nothing, until it has room again', async () => {
      await using server = await ownServer(commands)
      const told: string[] = []
      const amqp = openAmqp({
        ...{ url: server.url, retryMs: 50, timeoutMs: 3000 },
        onUnavailable: (error) => told.push(String(error)),
        onAvailable: () => told.push('back'),
      })
      const bus = amqp.bus()
      const publish = (id: string) => bus.publish([eventOf(id)], signal)
      await expect.poll(() => bus.ping().then(() => 'ok', String), patience).toBe('ok')
      await bindQueue(server.url, 'sallyport')
      told.length = 0

      await server.control('set_vm_memory_high_watermark', 'absolute', '1MB')
      // The server tells those alone who publish.
      await expect.poll(() => publish('doorbell:1').then(() => told.length), patience).toBe(1)
      expect(told[0]).toMatch(/low on memory/)
      expect(await publish('doorbell:2')).toEqual([
        { ok: false, retryable: true, error: expect.stringContaining('takes no messages for now') as string },
      ])
      await expect(bus.ping()).rejects.toThrow('takes no messages for now')
      await server.control('set_vm_memory_high_watermark', '0.4')
      await expect.poll(() => told.at(-1), patience).toBe('back')
      expect(await publish('doorbell:2')).toEqual([{ ok: true }])
      expect((await idsIn(server.url, 'sallyport')).at(-1)).toBe('doorbell:2')
      await amqp.close()
    })

    it('learns what is too large for a server, so that the others arrive', async () => {
      await using server = await ownServer(commands, { max_message_size: 10_000 })
      const amqp = openAmqp({ url: server.url, retryMs: 50, timeoutMs: 10_000 })
      const bus = amqp.bus()
      await expect.poll(() => bus.ping().then(() => 'ok', String), patience).toBe('ok')
      await bindQueue(server.url, 'sallyport')
      const batch = [
        eventOf('doorbell:1'),
        eventOf('doorbell:large', { data: 'x'.repeat(10_000) }),
        eventOf('doorbell:2'),
      ]
      const refused = {
        ok: false,
        retryable: true,
        error: expect.stringContaining('max size 10000') as string,
      }
      expect((await bus.publish(batch, signal)).slice(1)).toEqual([refused, refused])
      expect(await bus.publish(batch, signal)).toEqual([
        { ok: true },
        { ok: false, retryable: false, error: expect.stringContaining('10000 bytes') as string },
        { ok: true },
      ])
      await amqp.close()
    })
  },
)
