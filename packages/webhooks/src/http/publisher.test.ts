import { SallyportError } from '@sallyport/errors'
import { openReceiver, testHttpPublisher } from '@sallyport/test-support/hosts'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { type HttpFormat, createHttpPublisher } from './index.ts'

const lines: HttpFormat = {
  encode: ({ id, data }) => ({ headers: {}, body: JSON.stringify({ id, data }) }),
  join: (messages) => ({
    headers: { 'content-type': 'application/jsonl' },
    body: messages.map(({ body }) => body).join('\n'),
  }),
}

testHttpPublisher('lines over HTTP', {
  batches: true,
  reads: false,
  create: (origin, key, options) =>
    createHttpPublisher(lines, {
      ...options,
      url: origin,
      headers: { authorization: key, ...options.headers },
    }),
  readIds: ({ body }) => body.split('\n').map((line) => (JSON.parse(line) as { id: string }).id),
})

const { signal } = new AbortController()

describe('createHttpPublisher', () => {
  it('lets the headers of the format override the common headers', async () => {
    await using receiver = await openReceiver()
    const publisher = createHttpPublisher(
      { ...lines, sign: ({ body }, events) => ({ 'x-proof': `${body.length} ${events.length}` }) },
      { url: receiver.url, headers: { Authorization: 'Bearer x', 'Content-Type': 'text/plain' } },
    )
    await publisher.publish([createEvent('a', 0), createEvent('b', 0)], signal)
    const [request] = receiver.requests
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer x',
      'content-type': 'application/jsonl',
      'x-proof': `${request?.body.length} 2`,
    })
  })

  it('sends no request and allows a retry when signing fails', async () => {
    await using receiver = await openReceiver()
    const error = Object.assign(new Error('the secret of the bus'), { code: 'ESTORE' })
    const publisher = createHttpPublisher(
      { ...lines, sign: () => Promise.reject(error) },
      { url: receiver.url },
    )
    expect(await publisher.publish([createEvent('a', 0)], signal)).toEqual([
      { ok: false, retryable: true, error: 'The request cannot be made: Error ESTORE' },
    ])
    expect(receiver.requests).toEqual([])
  })

  const createSized = (bytes: number) => {
    const create = (data: string) => createEvent(`event-${bytes}`, 0, { data })
    const { body } = lines.encode(create(''))
    return create('x'.repeat(bytes - body.length))
  }

  it('sends events up to eventBytes', async () => {
    await using receiver = await openReceiver()
    const publisher = createHttpPublisher(lines, { url: receiver.url, eventBytes: 1000 })
    expect(await publisher.publish([999, 1000, 1001].map(createSized), signal)).toEqual([
      { ok: true },
      { ok: true },
      {
        ...{ ok: false, retryable: false, tooLarge: true },
        error: expect.stringContaining('1000 bytes') as string,
      },
    ])
    expect(receiver.requests.map(({ body }) => body.split('\n').map(({ length }) => length))).toEqual([
      [999, 1000],
    ])
  })

  it('counts an event of more than 64 KiB that is answered 400 as too large', async () => {
    await using receiver = await openReceiver((response) => response.writeHead(400).end())
    const publisher = createHttpPublisher(lines, { url: receiver.url })
    const results = await publisher.publish([65_536, 65_537].map(createSized), signal)
    const final = { ok: false, retryable: false, error: 'The bus answered 400' }
    expect(results).toEqual([final, { ...final, tooLarge: true }])
  })

  it.each(['maxBytes', 'eventBytes', 'maxEvents', 'concurrency', 'timeoutMs'])(
    'rejects a %s out of range',
    (name) => {
      for (const value of [0, -1, 1.5, Number.NaN, Infinity])
        expect(() => createHttpPublisher(lines, { url: 'http://127.0.0.1', [name]: value })).toThrow(
          new RegExp(`^${name} must be an integer `),
        )
    },
  )

  it('reports the message of a Sallyport error from the signer', async () => {
    const cause = new SallyportError('SERVICE_UNAVAILABLE', 'The lease of the secret has ended')
    const publisher = createHttpPublisher(
      { ...lines, sign: () => Promise.reject(cause) },
      { url: 'http://127.0.0.1' },
    )
    expect(await publisher.publish([createEvent('a', 0)], signal)).toEqual([
      { ok: false, retryable: true, error: `The request cannot be made: ${cause.message}` },
    ])
  })
})
