import { describeNeeding, natsServers, openNatsServer, unusedPort } from '@sallyport/test-support/services'
import type { InternalEvent, PublishResult } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { openNats } from '../../src/nats/index.ts'
import { createEvent, readStream } from './fresh.ts'

const { signal } = new AbortController()
const pace = { interval: 200 }

describeNeeding(natsServers, (command) => {
  it('keeps everything that it acknowledged when the server is killed', async () => {
    await using server = await openNatsServer(command, await unusedPort())
    const { url } = server
    const nats = openNats({ url, retryMs: 50, timeoutMs: 2000 })
    const [bus, queue] = [nats.bus(), nats.queue()]
    await expect.poll(() => bus.ping().then(() => 'ok', String), pace).toBe('ok')
    await expect.poll(() => queue.ping().then(() => 'ok', String), pace).toBe('ok')

    const events = Array.from({ length: 400 }, (_, index) => createEvent(`doorbell:${index}`))
    const batches = Array.from({ length: 40 }, (_, index) => events.slice(index * 10, index * 10 + 10))
    const sendAll = async (send: (batch: readonly InternalEvent[]) => Promise<readonly PublishResult[]>) => {
      const results: PublishResult[] = []
      for (const batch of batches) results.push(...(await send(batch)))
      return results
    }
    const publishAll = () => sendAll((batch) => bus.publish(batch, signal))
    const enqueueAll = () => sendAll((batch) => queue.enqueue(batch, signal))

    const sending = [publishAll(), enqueueAll()]
    const stored = async () => (await readStream(url, 'SALLYPORT')).length
    await expect.poll(stored, { ...pace, interval: 1 }).toBeGreaterThan(0)
    await server.kill()
    server.restart()
    const before = await Promise.all(sending)

    const answered = (results: readonly PublishResult[]) => results.every(({ ok }) => ok)
    for (const [index, again] of [publishAll, enqueueAll].entries()) {
      let after: readonly PublishResult[] = []
      await expect.poll(async () => answered((after = await again())), pace).toBe(true)
      const lost = after.filter(
        (result, position) => before[index]![position]!.ok && !(result.ok && result.duplicate),
      )
      expect(lost).toEqual([])
    }

    const ids = events.map(({ id }) => id)
    expect((await readStream(url, 'SALLYPORT')).map(({ id }) => id).sort()).toEqual(ids.toSorted())
    const received = await queue.receive({ limit: 1000, signal })
    expect(received.map(({ event }) => event.id).sort()).toEqual(ids.toSorted())
    await nats.close()
  })
})
