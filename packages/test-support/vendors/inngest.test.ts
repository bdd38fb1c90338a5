import type { ServerResponse } from 'node:http'
import { openReceiver, testHttpPublisher } from '@sallyport/test-support/hosts'
import type { WebhookEvent } from '@sallyport/webhooks'
import { Inngest } from 'inngest'
import { describe, expect, it } from 'vitest'
import { createInngestPublisher } from '../../buses/src/inngest/index.ts'

const { signal } = new AbortController()

function createEvent(id: string, changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const source = { provider: 'doorbell', deliveryId: 'delivery-1', receivedAt: 5 }
  const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
  const known = { name: 'doorbell/bell.rung', subject: 'front', ts: 1_795_262_400_000, source, trace }
  return { id, ...known, data: { door: 'front', '🔔': null }, ...changes }
}
const parseIds = (body: string) => (JSON.parse(body) as { id: string }[]).map(({ id }) => id)

/** Responds in the format of the event API. */
function answer(response: ServerResponse, status: number, ids: readonly string[], error?: string) {
  response.writeHead(status).end(JSON.stringify({ ids, status, ...(error !== undefined && { error }) }))
}
const internalIds = (count: number) => Array.from({ length: count }, (_, index) => `01HQ${index}`)

testHttpPublisher('the event API of Inngest', {
  batches: true,
  reads: true,
  create: (url, key, options) => createInngestPublisher({ ...options, url, key }),
  readIds: ({ body }) => parseIds(body),
  take(response, ids) {
    answer(response, 200, internalIds(ids.length))
  },
})

describe('createInngestPublisher', () => {
  it('sends the same request as the SDK', async () => {
    await using receiver = await openReceiver((response) => {
      answer(response, 200, internalIds(2))
    })
    const events = [createEvent('doorbell:bell.rung:1'), createEvent('doorbell:bell.rung:2', { ts: 1 })]
    const sdk = new Inngest({ id: 'sallyport', eventKey: 'key', baseUrl: receiver.url, isDev: false })
    await sdk.send(events.map(({ name, data, id, ts }) => ({ name, data: data as object, id, ts })))
    const publisher = createInngestPublisher({ url: receiver.url, key: 'key' })
    expect(await publisher.publish(events, signal)).toEqual([{ ok: true }, { ok: true }])

    const [theirs, ours] = receiver.requests.map(({ method, path, headers, body }) => ({
      method,
      path,
      type: headers['content-type'],
      body: JSON.parse(body) as object[],
    }))
    expect(ours).toEqual(theirs)
    expect(ours?.path).toBe('/e/key')
    expect(Object.keys(ours?.body[0] ?? {})).toEqual(['name', 'data', 'id', 'ts'])
  })

  it.each([
    ['', '/e/a%2Fb%3F%20c'],
    ['/', '/e/a%2Fb%3F%20c'],
    ['/proxy/path', '/proxy/path/e/a%2Fb%3F%20c'],
  ])('appends the key to the path %s', async (path, expected) => {
    await using receiver = await openReceiver((response) => {
      answer(response, 200, internalIds(1))
    })
    const headers = { 'x-inngest-env': 'branch' }
    const publisher = createInngestPublisher({ url: receiver.url + path, key: 'a/b? c', headers })
    await publisher.publish([createEvent('a')], signal)
    expect(receiver.requests[0]).toMatchObject({ path: expected, headers })
  })

  it('rejects a missing key', () => {
    for (const key of ['', undefined, null, 7])
      expect(() => createInngestPublisher({ key: key as string })).toThrow(
        new TypeError('Inngest needs an event key: set the option key'),
      )
  })

  it('sends a reference as the data of an event', async () => {
    await using receiver = await openReceiver((response) => {
      answer(response, 200, internalIds(1))
    })
    const publisher = createInngestPublisher({ url: receiver.url, key: 'key' })
    const dataref = 'https://hooks.example.com/deliveries/1/data?event=a'
    expect(await publisher.publish([createEvent('a', { data: undefined, dataref })], signal)).toEqual([
      { ok: true },
    ])
    expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject([{ id: 'a', data: { dataref } }])
  })

  it('sends events up to 3 MiB', async () => {
    await using receiver = await openReceiver((response) => {
      answer(response, 200, internalIds(1))
    })
    const publisher = createInngestPublisher({ url: receiver.url, key: 'key', timeoutMs: 60_000 })
    const events = [0, 1].map((extra) => {
      const { name, ts } = createEvent('a')
      const empty = JSON.stringify({ name, data: { text: '' }, id: 'a', ts })
      return createEvent('a', { data: { text: 'x'.repeat(3 * 1024 * 1024 - empty.length + extra) } })
    })
    expect(await publisher.publish(events, signal)).toMatchObject([{ ok: true }, { tooLarge: true }])
  })

  it.each(['maxBytes', 'eventBytes', 'timeoutMs'])('rejects a %s out of range', (name) => {
    for (const value of [0, 1.5, Number.NaN, Infinity])
      expect(() => createInngestPublisher({ key: 'key', [name]: value })).toThrow(
        new RegExp(`^${name} must be an integer `),
      )
  })

  it.each([[['door']], ['front'], [null], [7], [undefined]])(
    'rejects data that is not an object: %j',
    async (data) => {
      await using receiver = await openReceiver()
      const publisher = createInngestPublisher({ url: receiver.url, key: 'key' })
      const [result] = await publisher.publish([createEvent('a', { data })], signal)
      expect(result).toMatchObject({ ok: false, retryable: false })
      expect(receiver.requests).toEqual([])
    },
  )

  it('does not resend events that precede a rejected event', async () => {
    await using receiver = await openReceiver((response) => {
      const ids = parseIds(receiver.requests.at(-1)?.body ?? '[]')
      const bad = ids.indexOf('bad')
      if (bad === -1) answer(response, 200, internalIds(ids.length))
      else answer(response, 400, bad === 0 ? [''] : internalIds(bad), 'event name is reserved')
    })
    const publisher = createInngestPublisher({ url: receiver.url, key: 'key' })
    const events = ['a', 'b', 'bad', 'c', 'd'].map((id) => createEvent(id))
    const results = await publisher.publish(events, signal)
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false, true, true])
    expect(results[2]).toEqual({ ok: false, retryable: false, error: 'The bus answered 400' })
    const asked = receiver.requests.flatMap(({ body }) => parseIds(body))
    expect(asked.filter((id) => id === 'a' || id === 'b')).toEqual(['a', 'b'])
  })

  it.each([
    ['no ids', '{"status":200}', [false, false]],
    ['too few ids', '{"ids":["1"],"status":200}', [true, false]],
    ['invalid ids', '{"ids":[1,""],"status":200}', [false, false]],
    ['an error', '{"ids":[],"status":500,"error":"no"}', [false, false]],
    ['a page', '<html>Log in</html>', [false, false]],
    ['nothing', '', [false, false]],
    ['null', 'null', [false, false]],
  ])('returns a retryable failure after a 200 with %s', async (_, body, expected) => {
    await using receiver = await openReceiver((response) => response.end(body))
    const publisher = createInngestPublisher({ url: receiver.url, key: 'key' })
    const results = await publisher.publish([createEvent('a'), createEvent('b')], signal)
    expect(results.map(({ ok }) => ok)).toEqual(expected)
    for (const result of results) if (!result.ok) expect(result.retryable).toBe(true)
  })
})
