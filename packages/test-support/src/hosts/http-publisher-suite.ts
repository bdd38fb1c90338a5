import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WebhookEvent, Publisher, PublishResult } from '@sallyport/webhooks'
import type { HttpPublisherOptions } from '@sallyport/webhooks/http'
import { testPublisher } from '@sallyport/webhooks/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { openReceiver, type ReceivedRequest, type Receiver } from './receiver.ts'

/** A publisher over HTTP and the protocol of its bus. */
export interface HttpBus {
  /** Creates a publisher for the bus at an origin. Its URL or headers contain the key. */
  create(origin: string, key: string, options: Partial<HttpPublisherOptions>): Publisher
  /** Reads the ids of the events in a request. */
  readIds(request: ReceivedRequest): readonly string[]
  /** Responds that the bus has accepted the events. @default 202 */
  take?(response: ServerResponse, ids: readonly string[]): void
  /** Whether events share a request. */
  readonly batches: boolean
  /** Whether the body of a response lists the accepted events. */
  readonly reads: boolean
}

const key = 'the-key-of-this-bus'
const neverAborted = new AbortController().signal

function createEvent(id: string, data: unknown = { door: 'front' }): WebhookEvent {
  const source = { provider: 'doorbell', deliveryId: 'delivery-1', receivedAt: 0 }
  return { id, name: 'doorbell/bell.rung', subject: 'front', ts: Date.UTC(2026, 0), data, source }
}
const createEvents = (...ids: string[]) => ids.map((id) => createEvent(id))

/**
 * Defines the tests that every publisher over HTTP must pass: those of all publishers, and those for responses without
 * success.
 */
export function testHttpPublisher(name: string, bus: HttpBus): void {
  const receivers = new Map<Publisher, Receiver>()
  afterEach(async () => {
    for (const receiver of receivers.values()) await receiver.close()
    receivers.clear()
  })

  const take = (response: ServerResponse, ids: readonly string[]) => {
    if (bus.take) bus.take(response, ids)
    else response.writeHead(202).end()
  }
  /** Opens a bus that accepts every event unless `answer` handles the request. */
  async function open(
    options: Partial<HttpPublisherOptions> = {},
    answer: (response: ServerResponse, ids: readonly string[]) => boolean = () => false,
  ) {
    const taken: string[] = []
    const receiver = await openReceiver((response) => {
      const request = receiver.requests.at(-1)
      const ids = request ? bus.readIds(request) : []
      if (answer(response, ids)) return
      taken.push(...ids)
      take(response, ids)
    })
    const publisher = bus.create(receiver.url, key, { timeoutMs: 60_000, ...options })
    receivers.set(publisher, receiver)
    return { publisher, receiver, taken }
  }
  const everyRequest = (write: (response: ServerResponse) => unknown) => (response: ServerResponse) => {
    write(response)
    return true
  }
  function expectFailure(result: PublishResult | undefined) {
    if (result === undefined || result.ok) throw new Error('The event was published')
    expect(JSON.stringify(result)).not.toContain(key)
    expect(JSON.stringify(result)).not.toContain('127.0.0.1')
    return result
  }
  const getOutcomes = (results: readonly PublishResult[]) => results.map(({ ok }) => ok)

  describe(name, () => {
    const logs = new Map<Publisher, readonly string[]>()
    const hanging = new Set<Publisher>()
    testPublisher(
      { describe, expect, it },
      {
        deduplicates: false,
        async create() {
          const { publisher, taken } = await open({ concurrency: 1, eventBytes: 10_000 }, () =>
            hanging.has(publisher),
          )
          logs.set(publisher, taken)
          return publisher
        },
        published: (publisher) => logs.get(publisher) ?? [],
        hang: (publisher) => hanging.add(publisher),
        tooLargeBytes: 10_000,
      },
    )

    it.each([400, 410, 413, 415, 422, 431])('returns a final failure for status %d', async (status) => {
      const { publisher, receiver } = await open(
        {},
        everyRequest((response) => response.writeHead(status, { 'retry-after': 'soon' }).end(key)),
      )
      const [result] = await publisher.publish(createEvents('a'), neverAborted)
      expect(expectFailure(result)).toEqual({
        ok: false,
        retryable: false,
        error: `The bus answered ${status}`,
        ...(status === 413 && { tooLarge: true }),
      })
      expect(receiver.requests).toHaveLength(1)
    })

    it.each([301, 302, 307, 308, 401, 403, 404, 408, 409, 425, 429, 500, 502, 503, 504])(
      'returns a retryable failure for status %d without following a redirect',
      async (status) => {
        const { publisher, receiver } = await open(
          {},
          everyRequest((response) => response.writeHead(status, { location: '/elsewhere' }).end(key)),
        )
        const [result] = await publisher.publish(createEvents('a'), neverAborted)
        expect(expectFailure(result)).toEqual({
          ok: false,
          retryable: true,
          error: `The bus answered ${status}`,
        })
        expect(receiver.requests).toHaveLength(1)
      },
    )

    it.each([
      ['120', 120_000],
      ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
      ['Wed, 31 Dec 2025 23:59:00 GMT', undefined],
    ])('honors Retry-After: %s', async (text, milliseconds) => {
      for (const status of [429, 503]) {
        const { publisher } = await open(
          { now: () => Date.UTC(2026, 0) },
          everyRequest((response) => response.writeHead(status, { 'retry-after': text }).end()),
        )
        const [result] = await publisher.publish(createEvents('a'), neverAborted)
        expect(expectFailure(result).retryAfterMs).toBe(milliseconds)
      }
    })

    it.each([429, 503])('stops the batch after status %d', async (status) => {
      const { publisher, receiver, taken } = await open({ concurrency: 1, maxBytes: 1 }, (response, ids) => {
        if (!ids.includes('b')) return false
        response.writeHead(status, { 'retry-after': '7' }).end()
        return true
      })
      const [first, ...others] = await publisher.publish(createEvents('a', 'b', 'c', 'd'), neverAborted)
      expect(first).toEqual({ ok: true })
      const failure = { ok: false, retryable: true, error: `The bus answered ${status}`, retryAfterMs: 7000 }
      expect(others.map(expectFailure)).toEqual([failure, failure, failure])
      expect(taken).toEqual(['a'])
      expect(receiver.requests).toHaveLength(2)
    })

    it('continues the batch after a failure of one event', async () => {
      const { publisher, taken } = await open({ concurrency: 1, maxBytes: 1 }, (response, ids) => {
        if (!ids.includes('b')) return false
        response.writeHead(500).end()
        return true
      })
      expect(getOutcomes(await publisher.publish(createEvents('a', 'b', 'c'), neverAborted))).toEqual([
        true,
        false,
        true,
      ])
      expect(taken).toEqual(['a', 'c'])
    })

    it('returns the results before a response that times out', async () => {
      // Long enough for the first responses on a slow machine.
      const { publisher, taken } = await open({ concurrency: 1, maxBytes: 1, timeoutMs: 2000 }, (_, ids) =>
        ids.includes('c'),
      )
      const results = await publisher.publish(createEvents('a', 'b', 'c', 'd'), neverAborted)
      expect(results.slice(0, taken.length)).toEqual(taken.map(() => ({ ok: true })))
      expect(results.slice(2).map(expectFailure)).toEqual([late, late])
    })
    const late = { ok: false, retryable: true, error: 'The bus did not answer in time' }

    it('times out without a response', async () => {
      const { publisher } = await open({ timeoutMs: 50 }, () => true)
      expect((await publisher.publish(createEvents('a', 'b'), neverAborted)).map(expectFailure)).toEqual([
        late,
        late,
      ])
    })

    it('stops waiting after an abort even if fetch ignores it', async () => {
      const stopping = new AbortController()
      const stubborn = Promise.withResolvers<Response>()
      const publisher = bus.create('http://127.0.0.1:1', key, {
        timeoutMs: 60_000,
        fetch: () => {
          stopping.abort()
          return stubborn.promise
        },
      })
      expect((await publisher.publish(createEvents('a'), stopping.signal)).map(expectFailure)).toEqual([late])
      stubborn.reject(new Error('too late'))
      await nextTurn()
    })

    it('closes the connection after an abort', async () => {
      const stopping = new AbortController()
      let closed = false
      const { publisher, receiver } = await open({}, (response) => {
        response.on('close', () => (closed = true))
        return true
      })
      const publishing = publisher.publish(createEvents('a'), stopping.signal)
      await expect.poll(() => receiver.requests.length).toBe(1)
      stopping.abort()
      expect((await publishing).map(expectFailure)).toEqual([late])
      await expect.poll(() => closed).toBe(true)
    })

    it('returns a retryable failure while no server listens', async () => {
      const { publisher, receiver } = await open()
      await receiver.close()
      const [result] = await publisher.publish(createEvents('a'), neverAborted)
      expect(expectFailure(result)).toEqual({
        ok: false,
        retryable: true,
        error: 'The bus cannot be reached: ECONNREFUSED',
      })
    })

    it.each([
      ['nothing', ''],
      ['half a head', 'HTTP/1.1 200 OK\r\nContent-Ty'],
      ['no HTTP', `${key}\r\n\r\n`],
    ])('returns a retryable failure after a connection that ends with %s', async (_, text) => {
      const { publisher } = await open(
        {},
        everyRequest((response) => response.socket?.end(text)),
      )
      const [result] = await publisher.publish(createEvents('a'), neverAborted)
      const failure = expectFailure(result)
      expect(failure.retryable).toBe(true)
      expect(failure.error).toMatch(/^The bus cannot be reached(: [A-Z_]+)?$/)
    })

    it(`${bus.reads ? 'rejects' : 'ignores'} a truncated response body`, async () => {
      const { publisher } = await open(
        {},
        everyRequest((response) => {
          response.writeHead(200, { 'content-length': '100' }).write('{"ids":["1"],"sta')
          setImmediate(() => response.destroy())
        }),
      )
      const [result] = await publisher.publish(createEvents('a'), neverAborted)
      if (bus.reads) expect(expectFailure(result).retryable).toBe(true)
      else expect(result).toEqual({ ok: true })
    })

    it('stops reading an endless response', async () => {
      const ended = Promise.withResolvers<undefined>()
      const { publisher } = await open(
        {},
        everyRequest((response) => {
          const chunk = Buffer.alloc(64 * 1024, ' ')
          const more = () => {
            while (!response.destroyed && response.write(chunk));
          }
          response.on('drain', more).on('close', () => {
            ended.resolve(undefined)
          })
          more()
        }),
      )
      const [result] = await publisher.publish(createEvents('a'), neverAborted)
      if (bus.reads) expect(expectFailure(result).retryable).toBe(true)
      else expect(result).toEqual({ ok: true })
      await ended.promise
    })

    it('isolates one rejected event of a batch', async () => {
      for (const status of [400, 413, 422]) {
        const { publisher, taken } = await open({}, (response, ids) => {
          if (!ids.includes('bad')) return false
          response.writeHead(status).end()
          return true
        })
        const events = createEvents('a', 'b', 'c', 'bad', 'd', 'e', 'f')
        const results = await publisher.publish(events, neverAborted)
        expect(getOutcomes(results)).toEqual(events.map(({ id }) => id !== 'bad'))
        expect(expectFailure(results[3])).toEqual({
          ok: false,
          retryable: false,
          error: `The bus answered ${status}`,
          ...(status === 413 && { tooLarge: true }),
        })
        expect(taken.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
      }
    })

    it('rejects an event that cannot be encoded and publishes the rest', async () => {
      const { publisher, taken } = await open()
      const unwritable = createEvent('b', { count: 1n, key })
      const results = await publisher.publish(
        [...createEvents('a'), unwritable, ...createEvents('c')],
        neverAborted,
      )
      expect(getOutcomes(results)).toEqual([true, false, true])
      expect(expectFailure(results[1])).toEqual({
        ok: false,
        retryable: false,
        error: 'The event cannot be written in the form of the bus',
      })
      expect(taken.toSorted()).toEqual(['a', 'c'])
    })

    if (bus.batches) {
      it('limits the bytes of a request unless one event is larger', async () => {
        const large = createEvent('large', { text: '🔔'.repeat(500) })
        const events = [...createEvents('a', 'b', 'c', 'd'), large, ...createEvents('e', 'f')]
        const { publisher, receiver, taken } = await open({ maxBytes: 1000 })
        expect(getOutcomes(await publisher.publish(events, neverAborted))).toEqual(events.map(() => true))
        expect(taken).toEqual(events.map(({ id }) => id))
        for (const request of receiver.requests) {
          const alone = bus.readIds(request).length === 1
          if (!alone) expect(Buffer.byteLength(request.body)).toBeLessThanOrEqual(1000)
        }
        expect(receiver.requests.length).toBeLessThan(events.length)
      })

      it('divides a batch that is too large for the bus', async () => {
        const { publisher, taken } = await open({}, (response, ids) => {
          if (ids.length <= 2) return false
          response.writeHead(413).end()
          return true
        })
        const events = createEvents('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k')
        expect(getOutcomes(await publisher.publish(events, neverAborted))).toEqual(events.map(() => true))
        expect(taken).toEqual(events.map(({ id }) => id))
      })
    }

    it.each(['ftp://bus.example', 'nonsense', `http://user:${key}@bus.example`])(
      'rejects the URL %s',
      (url) => {
        let message = ''
        try {
          bus.create(url, key, {})
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          message = (error as TypeError).message
        }
        expect(message).toMatch(/^A bus over HTTP needs an http or https address/)
        expect(message).not.toContain(key)
      },
    )

    it('rejects invalid headers without showing them', () => {
      const headers = { 'x-key': `${key}\n${key}` }
      expect(() => bus.create('http://127.0.0.1', key, { headers })).toThrow(
        new TypeError('The headers of a bus over HTTP are invalid'),
      )
    })

    it('rejects an invalid limit', () => {
      for (const concurrency of [0, 1.5, Number.NaN])
        expect(() => bus.create('http://127.0.0.1', key, { concurrency })).toThrow(TypeError)
    })
  })
}
