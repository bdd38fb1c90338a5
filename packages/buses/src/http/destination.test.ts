import { createServer } from 'node:http'
import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { openReceiver, type ReceiverAnswer } from '@sallyport/test-support/hosts'
import { createEvent } from '@sallyport/webhooks/testing'
import { defineProvider, sharedToken, type DestinationMessage } from '@sallyport/webhooks'
import { HTTP } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createHttpDestination,
  type EventDestinationOptions,
  type OriginalDestinationOptions,
} from './index.ts'

const { signal } = new AbortController()
const secret = `whsec_${Buffer.from('the secret of this destination..').toString('base64')}`
const older = `whsec_${Buffer.from('the older secret of destination.').toString('base64')}`
const network = { allowPrivate: true }

const event = createEvent('doorbell:bell.rung:1', 0, {
  trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=1' },
  source: { provider: 'doorbell', endpoint: 'acme', deliveryId: 'delivery-1', receivedAt: 0 },
})
const body = new Uint8Array([0x7b, 0x00, 0xff, 0x7d])
const message: DestinationMessage = { deliveryId: 'delivery-1', events: [event], attempt: 3 }
const original: DestinationMessage = {
  ...message,
  events: [event, { ...event, id: 'doorbell:ü,%:2' }],
  request: {
    query: 'a=1&token=%5Bredacted%5D',
    headers: {
      ...{ 'content-type': 'application/octet-stream', 'user-agent': 'Doorbell/1', 'X-Kind': 'rung' },
      ...{ connection: 'close, x-hop', 'x-hop': '1', host: 'gateway', 'content-length': '9', te: 'trailers' },
      ...{ authorization: 'Bearer a', cookie: 'a=b', 'x-signature': '[redacted]', 'x-bad': 'a\nb' },
      ...{ 'sallyport-provider': 'forged', 'webhook-id': 'forged', 'x-forwarded-for': '1.1.1.1' },
      ...{ traceparent: 'forged', 'content-encoding': 'gzip', 'accept-encoding': 'br' },
    },
    body,
  },
}

function toEvents(options: Partial<EventDestinationOptions> & { readonly url: string }) {
  const destination = createHttpDestination({ mode: 'event', secrets: secret, network, ...options })
  onTestFinished(() => destination.close())
  return destination
}
function toOriginal(options: Partial<OriginalDestinationOptions> & { readonly url: string }) {
  const destination = createHttpDestination({ mode: 'original', secrets: secret, network, ...options })
  onTestFinished(() => destination.close())
  return destination
}
async function open(answer?: ReceiverAnswer) {
  const receiver = await openReceiver(answer)
  onTestFinished(() => receiver.close())
  return receiver
}
/** Sends a message to a receiver with an answer. */
async function send(answer: ReceiverAnswer, options: Partial<EventDestinationOptions> = {}) {
  const receiver = await open(answer)
  const result = await toEvents({ url: `${receiver.url}/the-key`, ...options }).send(message, signal)
  expect(JSON.stringify({ ...result, response: '' })).not.toMatch(/the-key|127\.0\.0\.1|whsec/)
  return { result, receiver }
}

describe('original mode', () => {
  it('sends the bytes and the headers as received, without those of the hop and credentials', async () => {
    const bytes: Buffer[] = []
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => bytes.push(chunk)).on('end', () => response.end())
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const received = once(server, 'request')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in?b=2`
    const result = await toOriginal({ url, headers: { 'X-Team': 'a' } }).send(original, signal)
    expect(result).toMatchObject({ outcome: 'done', status: 200 })
    const [request] = (await received) as [{ headers: Record<string, string>; url: string }]
    expect(Buffer.concat(bytes)).toEqual(Buffer.from(body))
    expect(request.url).toBe('/in?b=2')
    const {
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
      host,
      ...headers
    } = request.headers
    expect(host).toBe(new URL(url).host)
    expect(timestamp).toMatch(/^\d+$/)
    expect(signature).toMatch(/^v1,/)
    expect(headers).toEqual({
      ...{
        'content-type': 'application/octet-stream',
        'user-agent': 'Doorbell/1',
        'x-kind': 'rung',
        'x-team': 'a',
      },
      ...{ connection: 'keep-alive', 'content-length': '4' },
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{64}$/) as string,
      'sallyport-delivery-id': 'delivery-1',
      'sallyport-event-ids': 'doorbell:bell.rung:1,doorbell:%C3%BC%2C%25:2',
      'sallyport-attempt': '3',
      'sallyport-provider': 'doorbell',
      'sallyport-endpoint': 'acme',
      ...event.trace,
    })
  })

  it('appends the received query without credentials by option', async () => {
    const receiver = await open()
    await toOriginal({ url: `${receiver.url}/in?b=2`, query: true }).send(original, signal)
    expect(receiver.requests[0]?.path).toBe('/in?b=2&a=1')
  })

  it('sends listed headers only with allowHeaders', async () => {
    const receiver = await open()
    await toOriginal({ url: receiver.url, allowHeaders: ['X-Kind', 'cookie'] }).send(original, signal)
    expect(receiver.requests[0]?.headers).toMatchObject({
      ...{ 'x-kind': 'rung', 'content-type': 'application/octet-stream' },
    })
    expect(receiver.requests[0]?.headers).not.toHaveProperty('user-agent')
    expect(receiver.requests[0]?.headers).not.toHaveProperty('cookie')
  })

  it('ends with a message whose body was deleted', async () => {
    const receiver = await open()
    expect(await toOriginal({ url: receiver.url }).send(message, signal)).toMatchObject({
      ...{ outcome: 'dead', error: 'The body of the delivery was deleted' },
    })
    expect(receiver.requests).toEqual([])
  })
})

describe('event mode', () => {
  it('sends the event as JSON that each of several secrets verifies', async () => {
    const receiver = await open()
    await toEvents({ url: receiver.url, secrets: [secret, older] }).send(message, signal)
    const [request] = receiver.requests
    expect(request?.headers['content-type']).toBe('application/json')
    for (const one of [secret, older])
      expect(new Webhook(one).verify(request!.body, request!.headers as Record<string, string>)).toEqual(
        event,
      )
  })

  it('gives all attempts for an event one webhook-id', async () => {
    const receiver = await open()
    const destination = toEvents({ url: receiver.url })
    await destination.send(message, signal)
    await destination.send({ ...message, attempt: 4 }, signal)
    const [first, second] = receiver.requests.map(({ headers }) => headers)
    expect(first?.['webhook-id']).toBe(second?.['webhook-id'])
    expect(second?.['sallyport-attempt']).toBe('4')
  })

  it('sends signed CloudEvents', async () => {
    const receiver = await open()
    await toEvents({ url: receiver.url, format: 'cloudevents' }).send(message, signal)
    const { headers, body: text } = receiver.requests[0]!
    expect(HTTP.toEvent({ headers, body: text })).toMatchObject({ id: event.id, type: event.name })
    expect(() => new Webhook(secret).verify(text, headers as Record<string, string>)).not.toThrow()
  })

  it('reads the secrets of a function for every request, and retries while they are unusable', async () => {
    const receiver = await open()
    const answers = [[], [secret]]
    const destination = toEvents({ url: receiver.url, secrets: () => answers.shift() ?? [] })
    expect(await destination.send(message, signal)).toMatchObject({
      ...{ outcome: 'retry', unavailable: true, error: 'The request cannot be made: TypeError' },
    })
    expect(await destination.send(message, signal)).toMatchObject({ outcome: 'done' })
  })

  it('ends with an event that no header can hold, without counting the destination as unavailable', async () => {
    const receiver = await open()
    const events = [{ ...event, trace: { traceparent: 'a\nb' } }]
    const result = await toEvents({ url: receiver.url }).send({ ...message, events }, signal)
    expect(result).toMatchObject({ outcome: 'dead', error: 'The message cannot be written as a request' })
    expect(result).not.toHaveProperty('unavailable')
  })

  it('ends with an event that is no JSON', async () => {
    const receiver = await open()
    const events = [{ ...event, data: 1n }]
    expect(await toEvents({ url: receiver.url }).send({ ...message, events }, signal)).toMatchObject({
      ...{ outcome: 'dead', error: 'The event cannot be written in the format of the destination' },
    })
  })
})

describe('the result', () => {
  it.each([
    [204, { outcome: 'done' }],
    [410, { outcome: 'gone' }],
    [301, { outcome: 'retry', unavailable: false }],
    [400, { outcome: 'retry', unavailable: false }],
    [429, { outcome: 'retry', unavailable: true }],
    [500, { outcome: 'retry', unavailable: true }],
  ])('of status %d is %j', async (status, expected) => {
    const { result, receiver } = await send((response) =>
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('because'),
    )
    expect(result).toMatchObject({ ...expected, status })
    if (status !== 204)
      expect(result).toMatchObject({ response: 'because', error: `The destination answered ${status}` })
    expect(receiver.requests).toHaveLength(1)
  })

  it('has the delay of Retry-After in seconds and as a date', async () => {
    const now = () => Date.UTC(2026, 0)
    const answer = (text: string) =>
      send((response) => response.writeHead(429, { 'retry-after': text }).end(), { now })
    expect((await answer('120')).result.retryAfterMs).toBe(120_000)
    expect((await answer('Thu, 01 Jan 2026 00:01:00 GMT')).result.retryAfterMs).toBe(60_000)
    expect((await answer('soon')).result).not.toHaveProperty('retryAfterMs')
  })

  it('has the first 4 KB of the response, and stops an endless one', async () => {
    const closed = Promise.withResolvers<undefined>()
    const { result } = await send((response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 'ä\0')));
      }
      response.on('drain', more).on('close', () => {
        closed.resolve(undefined)
      })
      more()
    })
    expect(result.outcome).toBe('done')
    expect(Buffer.byteLength(result.response!.replaceAll('\u{fffd}', '.'))).toBeLessThanOrEqual(4096)
    expect(result.response).not.toContain('\0')
    await closed.promise
  })

  it('has no credential of the request', async () => {
    const receiver = await open((response) => {
      response.writeHead(500).end(JSON.stringify({ webhook: response.req.headers }))
    })
    const signature = sharedToken({ header: 'x-token' })
    const result = await toOriginal({
      ...{ url: receiver.url, secrets: 'the-secret', headers: { authorization: 'Bearer the-key' } },
      ...{
        sign: 'provider',
        providers: [defineProvider({ name: 'doorbell', signature, events: {}, normalize: () => [] })],
      },
    }).send(original, signal)
    expect(receiver.requests[0]?.headers).toMatchObject({
      'x-token': 'the-secret',
      authorization: 'Bearer the-key',
    })
    expect(result.response).toContain('Doorbell/1')
    expect(result.response).not.toMatch(/the-secret|the-key/)
  })

  it('is that of the status when the response body is cut off', async () => {
    const { result } = await send((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('part')
      setImmediate(() => response.destroy())
    })
    expect(result).toMatchObject({ outcome: 'done', status: 200, response: 'part' })
  })

  it('has the duration of an injected clock', async () => {
    let time = 1000
    const { result } = await send(204, { monotonic: () => (time += 5) })
    expect(result.durationMs).toBe(5)
  })
})

describe('a failure', () => {
  const unreachable = (code: RegExp | string) => ({
    ...{ outcome: 'retry', unavailable: true },
    error: expect.stringMatching(code) as string,
  })

  /** Opens a server that treats each connection. */
  async function openSocket(treat: (socket: Socket) => void) {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      treat(socket)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/the-key`
  }

  it('is a retry when no server listens', async () => {
    const receiver = await open()
    await receiver.close()
    const result = await toEvents({ url: `${receiver.url}/the-key` }).send(message, signal)
    expect(result).toMatchObject(unreachable(/^The destination cannot be reached: ECONNREFUSED$/))
  })

  it.each<[string, (socket: Socket) => void]>([
    ['resets the connection', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['ends in the head', (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'))],
    ['sends no HTTP', (socket) => socket.once('data', () => socket.end('the-key\r\n\r\n'))],
  ])('is a retry when the receiver %s', async (_, treat) => {
    const result = await toEvents({ url: await openSocket(treat) }).send(message, signal)
    expect(result).toMatchObject(unreachable(/^The destination cannot be reached(: [A-Z_]+)?$/))
    expect(JSON.stringify(result)).not.toContain('the-key')
  })

  it('is a timeout when the receiver is frozen', async () => {
    const closed = Promise.withResolvers<undefined>()
    const url = await openSocket((socket) => {
      socket.resume().on('close', () => {
        closed.resolve(undefined)
      })
    })
    const result = await toEvents({ url, timeoutMs: 50 }).send(message, signal)
    expect(result).toMatchObject(unreachable(/^The destination did not answer in time$/))
    await closed.promise
  })

  it('is a timeout for a signal with a timeout', async () => {
    const receiver = await open('hang')
    const result = await toEvents({ url: receiver.url }).send(message, AbortSignal.timeout(50))
    expect(result).toMatchObject(unreachable(/^The destination did not answer in time$/))
  })

  it('keeps the status of a response whose body does not end', async () => {
    const { result } = await send((response) => response.writeHead(503).write('wait'), { timeoutMs: 200 })
    expect(result).toMatchObject({ outcome: 'retry', status: 503, response: 'wait', unavailable: true })
  })

  it('does not count an abort as unavailable', async () => {
    const receiver = await open('hang')
    const stopping = new AbortController()
    const sending = toEvents({ url: receiver.url }).send(message, stopping.signal)
    await expect.poll(() => receiver.requests.length).toBe(1)
    stopping.abort()
    const result = await sending
    expect(result).toMatchObject({ outcome: 'retry', error: 'The attempt was interrupted' })
    expect(result).not.toHaveProperty('unavailable')
  })

  it('is a retry for a name without an address', async () => {
    const result = await toEvents({ url: 'https://nowhere.invalid/the-key' }).send(message, signal)
    expect(result).toMatchObject(unreachable(/^The destination cannot be reached: (ENOTFOUND|EAI_AGAIN)$/))
  })
})

describe('a publisher', () => {
  it('sends accepted events and publishes the others without a request', async () => {
    const receiver = await open()
    const publisher = toEvents({ url: receiver.url, filter: ({ id }) => id !== 'b' })
    const events = ['a', 'b', 'c'].map((id) => ({ ...event, id }))
    expect(await publisher.publish(events, signal)).toEqual([{ ok: true }, { ok: true }, { ok: true }])
    const ids = receiver.requests.map(({ body: text }) => (JSON.parse(text) as { id: string }).id)
    expect(ids.toSorted()).toEqual(['a', 'c'])
    expect(receiver.requests[0]?.headers).not.toHaveProperty('sallyport-attempt')
  })

  it('filters whole events, and sends them without the values of redact', async () => {
    const receiver = await open()
    const filter = ({ data }: { data: unknown }) => (data as { email: string }).email.startsWith('ann')
    const publisher = toEvents({ url: receiver.url, filter, redact: ['email'] })
    const events = ['ann@x.org', 'bob@x.org'].map((email) => ({ ...event, data: { email } }))
    expect(await publisher.publish(events, signal)).toEqual([{ ok: true }, { ok: true }])
    expect(receiver.requests.map((request) => JSON.parse(request.body) as unknown)).toEqual([
      { ...event, data: { email: '[redacted]' } },
    ])
    expect(() => toEvents({ url: receiver.url, redact: ['header:x-a'] })).toThrow(/names a header/)
  })

  it('sends the events of an ordered destination one after another, and stops when it is unavailable', async () => {
    const receiver = await open((response) =>
      response.writeHead(receiver.requests.length === 2 ? 503 : 204, { 'retry-after': '7' }).end(),
    )
    const publisher = toEvents({ url: receiver.url, order: 'subject' })
    const events = ['a', 'b', 'c'].map((id) => ({ ...event, id }))
    const failure = { ok: false, retryable: true, error: 'The destination answered 503', retryAfterMs: 7000 }
    expect(await publisher.publish(events, signal)).toEqual([{ ok: true }, failure, failure])
    expect(receiver.requests).toHaveLength(2)
  })

  it('returns a final failure for a dead event', async () => {
    const receiver = await open(422)
    const publisher = toEvents({ url: receiver.url, statuses: { dead: [422] } })
    expect(await publisher.publish([event], signal)).toEqual([
      { ok: false, retryable: false, error: 'The destination answered 422' },
    ])
  })
})

describe('createHttpDestination', () => {
  const url = 'https://key.example.com/the-key'
  const create = (options: object) =>
    createHttpDestination({ url, mode: 'event', secrets: secret, ...options } as EventDestinationOptions)

  it('has the contract of a destination', async () => {
    const destination = create({ retry: [1000], maxAgeMs: 5, ratePerSecond: 2, order: 'endpoint' })
    expect(destination).toMatchObject({
      ...{ name: 'key.example.com', mode: 'event', order: 'endpoint', concurrency: 10, timeoutMs: 16_000 },
      ...{ retryDelaysMs: [1000], maxAgeMs: 5, ratePerSecond: 2 },
    })
    await destination.close()
    const inOriginalMode = createHttpDestination({ url, mode: 'original', secrets: secret })
    expect(inOriginalMode).not.toHaveProperty('publish')
    await inOriginalMode.close()
  })

  it.each([
    ...[
      { url: 'the-key' },
      { url: 'ftp://a/the-key' },
      { url: 'https://user:the-key@a' },
      { url: 'http://a/the-key' },
    ],
    ...[
      { url: 'https://127.0.0.1/the-key' },
      { url: 'https://localhost/the-key' },
      { url: 'https://[::1]/' },
    ],
    ...[{ secrets: [] }, { secrets: 'the-key' }, { secrets: [secret, ''] }],
    ...[
      { headers: { 'x-a': 'the-key\n' } },
      { headers: { 'the-key\n': '' } },
      { headers: { 'webhook-id': '1' } },
    ],
    ...[
      { headers: { 'Sallyport-Provider': 'a' } },
      { headers: { 'content-type': 'a' } },
      { headers: { host: 'a' } },
    ],
    ...[
      { name: 'a/b' },
      { name: '' },
      { concurrency: 0 },
      { timeoutMs: 0 },
      { ratePerSecond: 0 },
      { maxAgeMs: 0 },
    ],
  ])('rejects %j without quoting a secret', (options) => {
    let error: unknown
    try {
      create(options)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).not.toContain('the-key')
  })
})
