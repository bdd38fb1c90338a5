import { openReceiver, testHttpPublisher, type ReceivedRequest } from '@sallyport/test-support/hosts'
import { standardWebhooks, type WebhookEvent } from '@sallyport/webhooks'
import { HTTP, type CloudEventV1 } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createCloudEventsPublisher, toCloudEvent } from './index.ts'

const { signal } = new AbortController()
const secret = `whsec_${Buffer.from('the secret of this bus..........').toString('base64')}`

const event: WebhookEvent = {
  id: 'doorbell:bell.rung:1',
  name: 'doorbell/bell.rung',
  subject: 'front',
  ts: 1_795_262_400_123,
  data: { door: 'front', '🔔': [null, 1.5, 'é'] },
  source: { provider: 'doorbell', deliveryId: 'delivery-1', receivedAt: 5 },
}
const attributes = {
  specversion: '1.0',
  id: 'doorbell:bell.rung:1',
  source: '/doorbell',
  type: 'doorbell/bell.rung',
  subject: 'front',
  time: '2026-11-21T12:00:00.123Z',
  datacontenttype: 'application/json',
}

/** Parses the events of a request with the SDK. */
function parseEvents({ headers, body }: ReceivedRequest): readonly CloudEventV1<unknown>[] {
  return [HTTP.toEvent<unknown>({ headers, body })].flat()
}
const plain = (events: readonly CloudEventV1<unknown>[]): unknown => JSON.parse(JSON.stringify(events))

for (const mode of ['structured', 'batch', 'binary'] as const) {
  testHttpPublisher(`CloudEvents in ${mode} mode`, {
    batches: mode === 'batch',
    reads: false,
    create: (origin, key, options) =>
      createCloudEventsPublisher({ ...options, url: `${origin}/?token=${key}`.replace(/\/\?/, '?'), mode }),
    // The SDK does not decode percent-encoded headers.
    readIds: (request) =>
      parseEvents(request).map(({ id }) => (mode === 'binary' ? decodeURIComponent(id) : id)),
  })

  describe(`a CloudEvent in ${mode} mode`, () => {
    async function publish(...events: WebhookEvent[]): Promise<readonly ReceivedRequest[]> {
      await using receiver = await openReceiver()
      const publisher = createCloudEventsPublisher({ url: `${receiver.url}/in?x=1`, mode })
      expect(await publisher.publish(events, signal)).toEqual(events.map(() => ({ ok: true })))
      return receiver.requests
    }

    it('is readable by the SDK', async () => {
      const [request] = await publish(event)
      expect(request?.path).toBe('/in?x=1')
      expect(plain(parseEvents(request!))).toEqual([{ ...attributes, data: event.data }])
    })

    it('has a dataref instead of data', async () => {
      const dataref = 'https://hooks.example.com/deliveries/1/data?event=doorbell%3A1'
      const [request] = await publish({ ...event, data: undefined, dataref })
      const [parsed] = plain(parseEvents(request!)) as [Record<string, unknown>]
      // The SDK does not decode percent-encoded headers.
      const received = String(parsed['dataref'])
      expect(mode === 'binary' ? decodeURIComponent(received) : received).toBe(dataref)
      expect(parsed).toMatchObject({ id: event.id, type: event.name })
      // The SDK returns an empty body in binary mode as empty text.
      expect(parsed['data'] ?? '').toBe('')
    })

    it('carries the trace', async () => {
      const trace = {
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'a=1',
      }
      const [request] = await publish({ ...event, trace })
      expect(parseEvents(request!)[0]).toMatchObject(trace)
    })

    it('names the original of a replayed event', async () => {
      const source = { ...event.source, replayOf: 'doorbell:original' }
      const [request] = await publish({ ...event, source })
      expect(parseEvents(request!)[0]?.['replayof']).toBe('doorbell:original')
    })

    it('has the attribute manual only for a manual test', async () => {
      const source = { ...event.source, manual: true } as const
      const [request] = await publish({ ...event, source })
      // A header value is a string; JSON has the boolean.
      expect(parseEvents(request!)[0]?.['manual']).toBe(mode === 'binary' ? 'true' : true)
      if (mode === 'binary') expect(request?.headers['ce-manual']).toBe('true')
      expect(parseEvents((await publish(event))[0]!)[0]).not.toHaveProperty('manual')
    })

    it('omits an empty subject', async () => {
      const [request] = await publish({ ...event, subject: '' })
      expect(parseEvents(request!)[0]?.subject).toBeUndefined()
    })

    it.each([['text'], [7], [false], [['a']], [{}]])('carries any JSON data: %j', async (data) => {
      const [request] = await publish({ ...event, data })
      const body: unknown = JSON.parse(request!.body)
      const written = mode === 'binary' ? body : ([body].flat() as { data: unknown }[])[0]?.data
      expect(written).toEqual(data)
    })
  })
}

describe('createCloudEventsPublisher', () => {
  it('percent-encodes everything except visible ASCII in headers', async () => {
    await using receiver = await openReceiver()
    const publisher = createCloudEventsPublisher({ url: receiver.url, mode: 'binary' })
    const subject = 'Euro € 😀 "100 %"\r\nx: y\ud800'
    await publisher.publish([{ ...event, subject }], signal)
    expect(receiver.requests[0]?.headers).toMatchObject({
      'ce-subject': 'Euro%20%E2%82%AC%20%F0%9F%98%80%20%22100%20%25%22%EF%BF%BD%EF%BF%BDx:%20y%EF%BF%BD',
      'ce-time': attributes.time,
      'ce-specversion': '1.0',
      'content-type': 'application/json',
    })
  })

  it.each([
    ['structured', 1, 'application/cloudevents+json; charset=utf-8'],
    ['batch', 2, 'application/cloudevents-batch+json; charset=utf-8'],
  ] as const)('signs in %s mode with the same webhook-id for the same events', async (mode, count, type) => {
    await using receiver = await openReceiver()
    const publisher = createCloudEventsPublisher({ url: receiver.url, mode, secret: () => secret })
    const events = [event, { ...event, id: 'doorbell:bell.rung:2' }].slice(0, count)
    await publisher.publish(events, signal)
    await publisher.publish(events, signal)
    const [first, second] = receiver.requests
    expect(first?.headers['content-type']).toBe(type)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    const headers = first?.headers as Record<string, string>
    expect(new Webhook(secret).verify(first?.body ?? '', headers)).toEqual(JSON.parse(first?.body ?? ''))
    const delivery = { method: 'POST', headers: new Headers(headers), body: Buffer.from(first?.body ?? '') }
    const verified = await standardWebhooks().verify(delivery, [secret], Date.now())
    expect(verified.verified).toBe(true)
  })

  it('rejects ids that are not well-formed Unicode in binary mode', async () => {
    await using receiver = await openReceiver()
    const publisher = createCloudEventsPublisher({ url: receiver.url, mode: 'binary' })
    const ids = ['doorbell:\ud800', 'doorbell:\ufffd', 'doorbell:\udc00']
    const results = await publisher.publish(
      ids.map((id) => ({ ...event, id })),
      signal,
    )
    expect(results.map(({ ok }) => ok)).toEqual([false, true, false])
    expect(receiver.requests.map(({ headers }) => headers['ce-id'])).toEqual(['doorbell:%EF%BF%BD'])
  })

  it('rejects a secret in binary mode', () => {
    const options = { url: 'http://127.0.0.1', mode: 'binary', secret } as const
    expect(() => createCloudEventsPublisher(options)).toThrow(TypeError)
  })

  it.each(['Binary', '', 'toString', null])('rejects the mode %j', (mode) => {
    expect(() => createCloudEventsPublisher({ url: 'http://127.0.0.1', mode: mode as never })).toThrow(
      new TypeError('mode must be structured, binary or batch'),
    )
  })

  it.each(['', 'nope!!', 'whsec_', 'whsec_nope!!', 'whsk_bm9wZQ==', 'whpk_bm9wZQ==', null as never])(
    'rejects the unusable secret %j without showing it',
    async (wrong) => {
      const url = 'http://127.0.0.1'
      expect(() => createCloudEventsPublisher({ url, secret: wrong })).toThrow(
        /^secret must be "whsec_" and base64, or "whsk_" /,
      )
      const [result] = await createCloudEventsPublisher({ url, secret: () => wrong }).publish([event], signal)
      const error = 'The request cannot be made: TypeError SECRET_UNUSABLE'
      expect(result).toEqual({ ok: false, retryable: true, error })
    },
  )

  it.each(['maxBytes', 'maxEvents', 'concurrency', 'timeoutMs'])('rejects a %s out of range', (name) => {
    for (const value of [0, 1.5, Number.NaN, Infinity])
      expect(() => createCloudEventsPublisher({ url: 'http://127.0.0.1', [name]: value })).toThrow(
        new RegExp(`^${name} must be an integer `),
      )
  })

  it.each([
    ['an empty id', { id: '' }],
    ['an invalid time', { ts: Number.NaN }],
    ['an empty name', { name: '' }],
  ])('rejects an event that is not a valid CloudEvent: %s', async (_, changes) => {
    await using receiver = await openReceiver()
    const publisher = createCloudEventsPublisher({ url: receiver.url })
    const results = await publisher.publish([{ ...event, ...changes }, event], signal)
    expect(results).toEqual([
      { ok: false, retryable: false, error: 'The event cannot be written in the form of the bus' },
      { ok: true },
    ])
    expect(receiver.requests).toHaveLength(1)
  })
})

describe('toCloudEvent', () => {
  it('replaces control characters and noncharacters in the subject', () => {
    const subject = 'a\u0000b\nc\u0085d\ufffee\u{1ffff}f\udc00 😀'
    expect(toCloudEvent({ ...event, subject }).subject).toBe('a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffd 😀')
  })

  it('percent-encodes the provider in the source', () => {
    const source = { ...event.source, provider: 'a b/ü' }
    expect(toCloudEvent({ ...event, source }).source).toBe('/a%20b%2F%C3%BC')
  })
})
