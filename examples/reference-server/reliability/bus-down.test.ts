import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codehost } from '@sallyport/providers/codehost'
import { openSqlite } from '@sallyport/sql/sqlite'
import { createDispatcher, createGateway, staticSecrets, type Publisher } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../test/server-process.ts'
import { expectPublished, idsOn } from './bus.ts'
import { getDelivery, getId } from './load.ts'

const secret = 'the secret of the code host'

/** A clock on which a minute is three seconds long. */
const startedAt = Date.now()
const now = () => startedAt + (Date.now() - startedAt) * 20
const untilLater = (milliseconds: number) => sleep(milliseconds / 20)

/** How a bus can be away: it refuses at once, it does not answer, it says that it cannot take an event. */
const faults: readonly Publisher['publish'][] = [
  () => Promise.reject(new Error('Connection refused')),
  (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('Aborted'))
      })
    }),
  (events) => Promise.resolve(events.map(() => ({ ok: false, retryable: true, error: 'Too busy' }))),
]

describe('a bus that is down for a minute', () => {
  it('gets all events of the outage, with the usual back-off', async () => {
    await using data = await temporaryDirectory()
    const database = await openSqlite({ path: join(data.path, 'sallyport.db') })
    const inbox = database.inbox({ now })
    const bus = database.bus()
    let isDown = false
    let attempts = 0
    const outcomes = new Set<string>()
    const dispatcher = createDispatcher({
      inbox,
      publisher: {
        publish: async (events, signal) => {
          const fault = isDown ? faults[attempts++ % faults.length] : undefined
          return await (fault ?? bus.publish)(events, signal)
        },
      },
      now,
      // Timers go by the clock on the wall.
      pollMs: 50,
      timeoutMs: 200,
      onAttempt: ({ outcome }) => outcomes.add(outcome.status),
    })
    const gateway = createGateway({
      providers: [codehost],
      secrets: staticSecrets({ codehost: [secret] }),
      inbox,
      dispatcher,
      now,
    })
    dispatcher.start()

    const signed = new Set<string>()
    async function send(run: number): Promise<void> {
      const { headers, body } = await getDelivery(run, secret)
      const { status } = await gateway.handle({
        method: 'POST',
        provider: 'codehost',
        headers: new Headers(headers),
        readBody: (sink) => {
          sink.push(body)
          return Promise.resolve()
        },
      })
      expect(status).toBe(200)
      signed.add(getId(run))
    }
    let next = 1
    async function sendFor(milliseconds: number): Promise<void> {
      for (const end = now() + milliseconds; now() < end; next += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, index) => send(next + index)))
        await untilLater(500)
      }
    }

    await sendFor(10_000)
    await expect.poll(async () => (await inbox.stats()).events.pending).toBe(0)
    const before = signed.size
    outcomes.clear()

    isDown = true
    await sendFor(60_000)
    expect(signed.size).toBeGreaterThan(before)
    expect(outcomes).toContain('retry')
    expect(outcomes).not.toContain('done')
    // All three kinds of faults.
    expect(attempts).toBeGreaterThan(3)
    expect(await inbox.stats()).toMatchObject({
      events: { pending: signed.size - before, queued: 0, dead: 0 },
      published: before,
    })
    expect(await idsOn(bus)).toHaveLength(before)

    isDown = false
    await sendFor(10_000)
    await expectPublished(bus, { acknowledged: signed, signed })
    await expect.poll(async () => (await inbox.stats()).events).toEqual({ pending: 0, queued: 0, dead: 0 })
    expect((await inbox.stats()).published).toBe(signed.size)
    expect(outcomes).toContain('done')
    expect(outcomes).not.toContain('dead')
    await dispatcher.stop()
    await database.close()
  })
})
