import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describeWith } from '@sallyport/test-support/services'
import { testConsumer } from '@sallyport/testing'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createEvent, freshName, readStream, withManager } from '../../test/nats/fresh.ts'
import { openNats } from './index.ts'

describeWith('nats', (server) => {
  testConsumer(
    { describe, expect, it },
    {
      create() {
        const { url } = server()
        const stream = freshName(server())
        const nats = openNats({ url })
        return {
          publisher: nats.bus({ stream }),
          async publishText(text) {
            const client = await connect({ servers: new URL(url).host })
            await jetstream(client).publish(`${stream.toLowerCase()}.text`, text)
            await client.close()
          },
          createConsumer: (options) => nats.consumer({ ...options, stream }),
          async countDeadLetters(consumer, reason) {
            const exists = await withManager(url, async (manager) => {
              for await (const name of manager.streams.names()) if (name === `${stream}_DEAD`) return true
              return false
            })
            const stored = exists ? await readStream(url, `${stream}_DEAD`) : []
            return stored.filter(
              ({ subject, headers }) =>
                subject === `${stream.toLowerCase()}_dead.${consumer}` &&
                headers['Sallyport-Reason'] === reason,
            ).length
          },
          close: () => nats.close(),
        }
      },
    },
  )

  it('keeps the order of a subject over a stop during a retry', async () => {
    const { url } = server()
    const stream = freshName(server())
    const nats = openNats({ url })
    const handled: string[] = []
    const create = (handler: (event: { readonly id: string }) => unknown) =>
      nats.consumer({
        ...{ name: 'one', stream, backoff: { baseMs: 60_000 } },
        handlers: { 'doorbell/bell.rung': handler },
      })
    let attempts = 0
    const failing = create(() => Promise.reject(new Error(`attempt ${String(++attempts)}`)))
    await failing.start()
    const ids = ['doorbell:1', 'doorbell:2', 'doorbell:3']
    await nats.bus({ stream }).publish(
      ids.map((id) => createEvent(id)),
      new AbortController().signal,
    )
    await expect.poll(() => attempts).toBe(1)
    // The consumer now waits for further messages.
    await sleep(300)
    await failing.stop()
    const consumer = create(({ id }) => handled.push(id))
    await consumer.start()
    await expect.poll(() => handled, { timeout: 10_000 }).toEqual(ids)
    await consumer.stop()
    await nats.close()
  })
})
