import { describe, expect, it } from 'vitest'
import {
  doorbell,
  findFailures,
  ignored,
  normalize,
  samples,
  signature,
} from '../../test/suite-under-test.ts'
import {
  type DeliveryHeaders,
  type SignatureScheme,
  type Verification,
  type VerifiedDelivery,
  compactJson,
  hmac,
  parseJson,
  signedTime,
  standardWebhooks,
} from '../index.ts'

/** The scheme, with another body in what it says. */
const handingOn = (change: (body: Uint8Array) => unknown): SignatureScheme => ({
  ...signature,
  verify: async (delivery, secrets, now) => {
    const outcome = await signature.verify(delivery, secrets, now)
    return outcome.verified ? ({ verified: true, body: change(outcome.body) } as Verification) : outcome
  },
})

const ofSigned = 'rejects a missing or changed signed header'

describe('testProvider detects', () => {
  // It once looked at nothing but whether a signature holds.
  it.each<[string, (body: Uint8Array) => unknown]>([
    ['no body', () => undefined],
    ['another body', () => new TextEncoder().encode('{}')],
    ['text', (body) => new TextDecoder().decode(body)],
    ['a part of the body', (body) => body.subarray(0, -1)],
  ])('a scheme that returns %s', async (_, change) => {
    const told: string[] = []
    expect(await findFailures({ provider: doorbell({ signature: handingOn(change) }) }, told)).toEqual([
      'verifies its own signatures and returns the signed bytes',
    ])
    expect(told).toEqual([expect.stringContaining('Answer the bytes that the proof covers')])
  })

  // Of a delivery that is refused, it once said nothing but that false is not true.
  it('a scheme that rejects its own signatures, with the reason', async () => {
    const proof = { algorithm: 'sha256', encoding: 'hex', header: 'x-bell-signature' } as const
    const untimed = hmac({
      ...proof,
      timestamp: signedTime(),
      content: ({ timestamp, body }) => [timestamp, body],
    })
    const told: string[] = []
    const failed = await findFailures({ provider: doorbell({ signature: untimed }) }, told)
    expect(failed.slice(0, 2)).toEqual([
      'verifies its own signatures and returns the signed bytes',
      'verifies only with one of the given secrets',
    ])
    const said = expect.stringContaining("expected 'missing' to be 'verified'") as string
    expect(told.slice(0, 2)).toEqual([said, said])
  })

  it.each(['signedHeaders', 'signedIds'] as const)(
    'a header among `%s` that is not signed',
    async (names) => {
      const unsigned = { ...signature, headers: [...signature.headers, 'x-bell-id'], [names]: ['x-bell-id'] }
      const keyed = (delivery: VerifiedDelivery) =>
        [normalize(delivery)]
          .flat()
          .map((one) => ({ ...one, key: [delivery.headers.get('x-bell-id') ?? ''] }))
      const provider = doorbell({ signature: unsigned, normalize: keyed })
      expect(await findFailures({ provider })).toContain(ofSigned)
      const unsent = doorbell({ signature: { ...signature, [names]: ['x-bell-time'] } })
      const told: string[] = []
      expect(await findFailures({ provider: unsent }, told)).toEqual([ofSigned])
      expect(told).toEqual([expect.stringContaining('List lower-case names of headers')])
    },
  )

  it('a limit below the size of the samples', async () => {
    const largest = Math.max(...[...samples, ...ignored].map(({ body }) => JSON.stringify(body).length))
    const failuresAt = (bodyLimit: number) => findFailures({ provider: doorbell({ bodyLimit }) })
    expect(await failuresAt(largest - 1)).toEqual(['accepts bodies as large as the samples'])
    expect(await failuresAt(largest)).toEqual([])
  })
})

describe('testProvider accepts a scheme that', () => {
  const form = { algorithm: 'sha256', encoding: 'hex', header: 'x-bell-signature' } as const
  const covering = (read: (headers: DeliveryHeaders) => string | null): SignatureScheme =>
    hmac({ ...form, content: ({ headers, body }) => [read(headers) ?? '', '.', body] })

  it('signs the id and the time that it calls signed', async () => {
    const provider = doorbell({ signature: standardWebhooks({ secretEncoding: 'utf8' }) })
    expect(await findFailures({ provider, toleranceMs: 300_000 })).toEqual([])
  })

  it('signs a header that is in the samples only', async () => {
    const id = covering((headers) => headers.get('x-bell-id'))
    const provider = doorbell({ signature: { ...id, signedHeaders: ['x-bell-id'] } })
    expect(await findFailures({ provider })).toEqual([])
  })

  // Each of the following was once refused for what it calls signed.
  const withIds = (...ids: string[]) =>
    samples.map((sample, index) => ({ ...sample, headers: { 'x-bell-id': ids[index] ?? '' } }))

  it('signs a header in either case, and says that it has more than one form', async () => {
    const either = covering((headers) => headers.get('x-bell-id')?.toLowerCase() ?? null)
    const provider = doorbell({ signature: { ...either, signedHeaders: ['x-bell-id'] } })
    const cased = { provider, samples: withIds('ABC1', 'ABC2') }
    expect(await findFailures({ ...cased, lacks: ['one-form'] })).toEqual([])
    expect(await findFailures(cased)).toEqual([ofSigned])
  })

  it('signs one of two families of headers', async () => {
    const both = covering((headers) => headers.get('x-bell-id') ?? headers.get('svix-id'))
    const provider = doorbell({ signature: { ...both, signedHeaders: ['x-bell-id', 'svix-id'] } })
    expect(await findFailures({ provider })).toEqual([])
  })

  it('signs a header that is only in what the provider ignores', async () => {
    const batch = covering((headers) => headers.get('x-bell-batch'))
    const provider = doorbell({ signature: { ...batch, signedHeaders: ['x-bell-batch'] } })
    const batches = ignored.map((one) => ({ ...one, headers: { 'x-bell-batch': '7' } }))
    expect(await findFailures({ provider, ignored: batches })).toEqual([])
  })

  it('signs a header that is empty in a sample', async () => {
    const provider = doorbell({
      signature: { ...covering((headers) => headers.get('x-bell-id')), signedHeaders: ['x-bell-id'] },
    })
    expect(await findFailures({ provider, samples: withIds('', '1') })).toEqual([])
  })

  it('calls its signed header an id, which is the key', async () => {
    const provider = doorbell({
      signature: { ...covering((headers) => headers.get('x-bell-id')), signedIds: ['x-bell-id'] },
      normalize: (delivery) =>
        [normalize(delivery)]
          .flat()
          .map((one) => ({ ...one, key: [delivery.headers.get('x-bell-id') ?? ''] })),
    })
    expect(await findFailures({ provider })).toEqual([])
  })

  it('passes another form of the body through, which was signed', async () => {
    const provider = doorbell({ signature: hmac({ ...form, forms: compactJson }) })
    const encode = (json: string) => new TextEncoder().encode(JSON.stringify(JSON.parse(json), null, 2))
    expect(await findFailures({ provider, encode })).toEqual([])
  })

  it('signs the address', async () => {
    const provider = doorbell({ signature: hmac({ ...form, content: ({ url, body }) => [url, body] }) })
    expect(await findFailures({ provider, url: 'https://hooks.example.com/webhooks/doorbell' })).toEqual([])
  })

  it('signs the time in the body', async () => {
    const now = Date.UTC(2026, 0, 14)
    const fromBody = (body: Uint8Array) => (parseJson(body) as { at?: unknown }).at
    const timestamp = signedTime({ fromBody, unit: 'ms', toleranceSeconds: 60 })
    const provider = doorbell({ signature: hmac({ ...form, timestamp }) })
    const at = <Sample extends { body: unknown }>(sample: Sample) => ({
      ...sample,
      body: { ...(sample.body as object), at: now },
    })
    const options = { provider, samples: samples.map(at), ignored: ignored.map(at), now }
    expect(await findFailures({ ...options, toleranceMs: 60_000 })).toEqual([])
    expect(await findFailures(options)).toEqual(['verifies its own signatures and returns the signed bytes'])
  })
})
