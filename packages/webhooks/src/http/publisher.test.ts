import { SallyportError } from '@sallyport/errors'
import { openReceiver, testHttpPublisher } from '@sallyport/test-hosts'
import { createEvent } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { type HttpFormat, httpPublisher } from './index.ts'

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
    httpPublisher(lines, { ...options, url: origin, headers: { authorization: key, ...options.headers } }),
  readIds: ({ body }) => body.split('\n').map((line) => (JSON.parse(line) as { id: string }).id),
})

const { signal } = new AbortController()

describe('httpPublisher', () => {
  it('sends its own headers, and those of the format over them', async () => {
    await using receiver = await openReceiver()
    const publisher = httpPublisher(
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

  it('lets events be tried again that cannot be signed now, and sends nothing', async () => {
    await using receiver = await openReceiver()
    const error = Object.assign(new Error('the secret of the bus'), { code: 'ESTORE' })
    const publisher = httpPublisher({ ...lines, sign: () => Promise.reject(error) }, { url: receiver.url })
    expect(await publisher.publish([createEvent('a', 0)], signal)).toEqual([
      { ok: false, retryable: true, error: 'The request cannot be made: Error ESTORE' },
    ])
    expect(receiver.requests).toEqual([])
  })

  it.each(['maxBytes', 'maxEvents', 'concurrency', 'timeoutMs'])(
    'takes no %s out of range, and names it',
    (name) => {
      // A time of Infinity once ended every batch at once.
      for (const value of [0, -1, 1.5, Number.NaN, Infinity])
        expect(() => httpPublisher(lines, { url: 'http://127.0.0.1', [name]: value })).toThrow(
          new RegExp(`^${name} must be an integer `),
        )
    },
  )

  it('tells what the kit itself says of a secret, which was once the name of the error alone', async () => {
    const why = new SallyportError('SERVICE_UNAVAILABLE', 'The lease of the secret has ended')
    const publisher = httpPublisher(
      { ...lines, sign: () => Promise.reject(why) },
      { url: 'http://127.0.0.1' },
    )
    expect(await publisher.publish([createEvent('a', 0)], signal)).toEqual([
      { ok: false, retryable: true, error: `The request cannot be made: ${why.message}` },
    ])
  })
})
