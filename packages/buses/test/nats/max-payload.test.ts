import { describeNeeding, natsServers, openNatsServer, unusedPort } from '@sallyport/test-support/services'
import type { WebhookEvent } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { openNats } from '../../src/nats/index.ts'
import type { NatsBusOptions } from '../../src/nats/bus.ts'
import { createEvent, readStream } from './fresh.ts'

const { signal } = new AbortController()
const maxPayload = 20_000
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** Creates an event whose message has this number of bytes, with its headers. */
function createSized(id: string, bytes: number, headers: Readonly<Record<string, string>>): WebhookEvent {
  const lines = Object.entries({ ...headers, traceparent }).map(([name, value]) => `${name}: ${value}\r\n`)
  const create = (text: string) => createEvent(id, { data: { text }, trace: { traceparent } })
  const block = `NATS/1.0\r\n${lines.join('')}\r\n`
  return create('x'.repeat(bytes - block.length - JSON.stringify(create('')).length))
}

describeNeeding(natsServers, (command) => {
  async function open(options: NatsBusOptions = {}) {
    const server = await openNatsServer(command, await unusedPort(), `max_payload: ${maxPayload}`)
    const nats = openNats({ url: server.url, retryMs: 50 })
    const bus = nats.bus(options)
    await expect.poll(() => bus.ping().then(() => 'ok', String), { interval: 100 }).toBe('ok')
    return {
      ...{ bus, url: server.url },
      async [Symbol.asyncDispose]() {
        await nats.close()
        await server[Symbol.asyncDispose]()
      },
    }
  }
  const sizes = (limit: number) => [limit - 1, limit, limit + 1]
  const createTooLarge = (limit: number) => ({
    ...{ ok: false, retryable: false, tooLarge: true },
    error: expect.stringContaining(`${limit} bytes`) as string,
  })

  it.each([
    ['max_payload of the server', {}, maxPayload],
    ['eventBytes', { eventBytes: 5000 }, 5000],
    ['max_payload when eventBytes is higher', { eventBytes: 50_000 }, maxPayload],
  ])('publishes messages up to %s', async (_, options, limit) => {
    await using opened = await open(options)
    const events = sizes(limit).map((bytes) =>
      createSized(`doorbell:${bytes}`, bytes, {
        'Nats-Msg-Id': `doorbell:${bytes}`,
        'Nats-Expected-Stream': 'SALLYPORT',
      }),
    )
    const published = { ok: true, duplicate: false }
    expect(await opened.bus.publish(events, signal)).toEqual([published, published, createTooLarge(limit)])
    const stored = await readStream(opened.url, 'SALLYPORT')
    expect(stored.map(({ id }) => id)).toEqual(events.slice(0, 2).map(({ id }) => id))
  })
})
