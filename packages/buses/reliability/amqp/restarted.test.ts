import { describeNeeding } from '@sallyport/test-support/services'
import type { PublishResult } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { openAmqp } from '../../src/amqp/index.ts'
import { bindQueue, createEvent, drainIds } from '../../test/amqp/fresh.ts'
import { findServer, startServer } from '../../test/amqp/server.ts'

const { signal } = new AbortController()
const pollOptions = { timeout: 120_000, interval: 200 }

describeNeeding(
  { what: 'the command rabbitmq-server', find: findServer, hint: 'install rabbitmq-server' },
  (commands) => {
    it('keeps confirmed messages when the server is killed', async () => {
      await using server = await startServer(commands)
      const { url } = server
      const reported: string[] = []
      const amqp = openAmqp({
        ...{ url, retryMs: 50, timeoutMs: 10_000 },
        onUnavailable: () => reported.push('unavailable'),
        onAvailable: () => reported.push('available'),
      })
      const bus = amqp.bus()
      await expect.poll(() => bus.ping().then(() => 'ok', String), pollOptions).toBe('ok')
      await bindQueue(url, 'sallyport')
      await server.keepDefinitions()

      const batches = Array.from({ length: 200 }, (_, batch) =>
        Array.from({ length: 20 }, (_, index) => createEvent(`doorbell:${batch}:${index}`)),
      )
      const results: PublishResult[] = []
      const sending = (async () => {
        for (const batch of batches) results.push(...(await bus.publish(batch, signal)))
      })()
      await expect
        .poll(() => results.filter(({ ok }) => ok).length, { ...pollOptions, interval: 1 })
        .toBeGreaterThan(0)
      await server.kill()
      server.restart()
      await sending
      const events = batches.flat()
      const confirmed = events.filter((_, index) => results[index]?.ok === true).map(({ id }) => id)
      const failed = results.filter(({ ok }) => !ok)
      expect(failed.length).toBeGreaterThan(0)
      expect(failed.every((result) => !result.ok && result.retryable)).toBe(true)

      // A restarted server may confirm thousands of messages slowly, so the rest is published again.
      let again = events.filter((_, index) => results[index]?.ok !== true)
      const failures = async () => {
        const answers = await bus.publish(again, signal)
        again = again.filter((_, index) => answers[index]?.ok !== true)
        return answers.filter(({ ok }) => !ok).slice(0, 3)
      }
      await expect.poll(failures, pollOptions).toEqual([])
      expect(reported).toEqual(['unavailable', 'available', 'unavailable', 'available'])
      const queued = await drainIds(url, 'sallyport')
      expect(confirmed.filter((id) => !queued.includes(id))).toEqual([])
      expect([...new Set(queued)].sort()).toEqual(events.map(({ id }) => id).sort())
      // Only messages that were published again may be duplicates.
      const twice = queued.filter((id, index) => queued.indexOf(id) !== index)
      expect(twice.filter((id) => confirmed.includes(id))).toEqual([])
      await amqp.close()
    })

    it('returns retryable failures while the server blocks publishers', async () => {
      await using server = await startServer(commands)
      const reported: string[] = []
      const amqp = openAmqp({
        ...{ url: server.url, retryMs: 50, timeoutMs: 3000 },
        onUnavailable: (error) => reported.push(String(error)),
        onAvailable: () => reported.push('available'),
      })
      const bus = amqp.bus()
      const publish = (id: string) => bus.publish([createEvent(id)], signal)
      await expect.poll(() => bus.ping().then(() => 'ok', String), pollOptions).toBe('ok')
      await bindQueue(server.url, 'sallyport')
      reported.length = 0

      await server.control('set_vm_memory_high_watermark', 'absolute', '1MB')
      // The server notifies a connection only when it publishes.
      await expect.poll(() => publish('doorbell:1').then(() => reported.length), pollOptions).toBe(1)
      expect(reported[0]).toMatch(/low on memory/)
      expect(await publish('doorbell:2')).toEqual([
        { ok: false, retryable: true, error: expect.stringContaining('blocks publishers') as string },
      ])
      await expect(bus.ping()).rejects.toThrow('blocks publishers')
      await server.control('set_vm_memory_high_watermark', '0.4')
      await expect.poll(() => reported.at(-1), pollOptions).toBe('available')
      expect(await publish('doorbell:2')).toEqual([{ ok: true }])
      expect((await drainIds(server.url, 'sallyport')).at(-1)).toBe('doorbell:2')
      await amqp.close()
    })

    it('learns the message size limit of the server and then publishes the smaller events', async () => {
      await using server = await startServer(commands, { max_message_size: 10_000 })
      const amqp = openAmqp({ url: server.url, retryMs: 50, timeoutMs: 10_000 })
      const bus = amqp.bus()
      await expect.poll(() => bus.ping().then(() => 'ok', String), pollOptions).toBe('ok')
      await bindQueue(server.url, 'sallyport')
      const batch = [9999, 10_000, 10_001].map((bytes) => {
        const create = (data: string) => createEvent(`doorbell:${bytes}`, { data })
        return create('x'.repeat(bytes - JSON.stringify(create('')).length))
      })
      const refused = {
        ...{ ok: false, retryable: true },
        error: expect.stringContaining('max size 10000') as string,
      }
      expect((await bus.publish(batch, signal)).slice(2)).toEqual([refused])
      expect(await bus.publish(batch, signal)).toEqual([
        { ok: true },
        { ok: true },
        {
          ...{ ok: false, retryable: false, tooLarge: true },
          error: expect.stringContaining('10000 bytes') as string,
        },
      ])
      await amqp.close()
    })
  },
)
