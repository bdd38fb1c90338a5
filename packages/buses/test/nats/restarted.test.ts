import { describeNeeding, natsServers, openNatsServer, unusedPort } from '@sallyport/test-support/services'
import type { PublishResult } from '@sallyport/webhooks'
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
    const bus = nats.bus()
    await expect.poll(() => bus.ping().then(() => 'ok', String), pace).toBe('ok')

    const events = Array.from({ length: 400 }, (_, index) => createEvent(`doorbell:${index}`))
    const batches = Array.from({ length: 40 }, (_, index) => events.slice(index * 10, index * 10 + 10))
    const publishAll = async () => {
      const results: PublishResult[] = []
      for (const batch of batches) results.push(...(await bus.publish(batch, signal)))
      return results
    }

    const sending = publishAll()
    const stored = async () => (await readStream(url, 'SALLYPORT')).length
    await expect.poll(stored, { ...pace, interval: 1 }).toBeGreaterThan(0)
    await server.kill()
    server.restart()
    const before = await sending

    const answered = (results: readonly PublishResult[]) => results.every(({ ok }) => ok)
    let after: readonly PublishResult[] = []
    await expect.poll(async () => answered((after = await publishAll())), pace).toBe(true)
    const lost = after.filter((result, position) => before[position]!.ok && !(result.ok && result.duplicate))
    expect(lost).toEqual([])

    const ids = events.map(({ id }) => id)
    expect((await readStream(url, 'SALLYPORT')).map(({ id }) => id).sort()).toEqual(ids.toSorted())
    await nats.close()
  })
})
