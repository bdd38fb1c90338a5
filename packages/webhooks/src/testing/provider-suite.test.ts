import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  doorbell,
  events,
  failuresOf,
  ignored,
  normalize,
  payload,
  samples,
  signature,
  type Doorbell,
} from '../../test/suite-under-test.ts'
import { defineProvider } from '../provider/provider.ts'
import { testProvider } from './provider-suite.ts'

testProvider({ describe, expect, it }, { provider: doorbell(), samples, ignored })

/** A text of three parts as in RFC 7515; nobody looks at the last one, which has digits and letters too. */
function encoded(claims: unknown): string {
  const [head, body] = [{ alg: 'ES256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return `${head}.${body}.${'Ab1'.repeat(28)}`
}

/** The scheme, with another look at the presented signature. */
const lenient = (look: (presented: string) => string) => ({
  ...signature,
  verify: (...[delivery, secrets, now]: Parameters<typeof signature.verify>) => {
    const presented = delivery.headers.get('x-bell-signature')
    const headers = new Headers(
      presented === null ? {} : { 'x-bell-signature': look(presented).replace(/[^!-~]/g, '?') },
    )
    return signature.verify({ ...delivery, headers }, secrets, now)
  },
})

describe('the suite notices', () => {
  it('nothing wrong with a provider that is right', async () => {
    expect(await failuresOf({})).toEqual([])
  })

  it('a key from an unsigned header', async () => {
    const provider = doorbell({
      normalize: (delivery) => {
        const event = [normalize(delivery)].flat()
        return event.map((one) => ({ ...one, key: [delivery.headers.get('x-bell-id') ?? ''] }))
      },
    })
    expect(await failuresOf({ provider })).toEqual([
      'takes the key of every event from what is in it',
      'makes no second event of a delivery whose unsigned headers were changed',
    ])
  })

  it('a key that distinct events share', async () => {
    const constant = doorbell({
      normalize: (delivery) => [normalize(delivery)].flat().map((one) => ({ ...one, key: ['k'] })),
    })
    const again = { ...samples[0]!, body: { id: 'r-2', what: 'rung', door: 'front' } }
    expect(await failuresOf({ provider: constant, samples: [...samples, again] })).toEqual([
      'gives distinct events distinct ids',
      'takes the key of every event from what is in it',
    ])
    // It once took two samples of one kind to notice it.
    expect(await failuresOf({ provider: constant })).toEqual([
      'takes the key of every event from what is in it',
    ])
  })

  // It once took a payload that is refused when it reads otherwise for one that the key ignores.
  it.each([
    ['an encoded text', { signedPayload: encoded({ id: 'r-1', what: 'rung', door: 'front' }) }],
    ['a date', { day: '2026-01-31' }],
    ['letters of upper case only', { ref: 'QWERTYUI' }],
    ['a text of one form', { once: 'the-only-one' }],
  ])('nothing wrong with a key in %s', async (_, body) => {
    const shape = z.union([
      z.object({ signedPayload: z.string() }).transform(({ signedPayload }) => {
        const [, claims = ''] = signedPayload.split('.')
        return payload.parse(JSON.parse(Buffer.from(claims, 'base64url').toString())).id
      }),
      z.object({ day: z.iso.date() }).transform(({ day }) => day),
      z.object({ ref: z.string().regex(/^[A-Z]{8}$/) }).transform(({ ref }) => ref),
      z.object({ once: z.literal('the-only-one') }).transform(({ once }) => once),
    ])
    const provider = defineProvider({
      name: 'doorbell',
      signature,
      events: { 'bell.rung': events['bell.rung'] },
      normalize: (delivery) => {
        const key = [shape.parse(delivery.payload)]
        return { kind: 'bell.rung', key, subject: 'front', data: { door: 'front' } }
      },
    })
    const sample = { kind: 'bell.rung', headers: {}, body }
    expect(await failuresOf({ provider, samples: [sample], ignored: [] })).toEqual([])
  })

  it('data that is another after a journey as JSON, and says what to do', async () => {
    const kinds = { ...events, 'bell.rung': z.object({ door: z.string(), at: z.coerce.date() }) }
    const count = z.object({ door: z.string(), at: z.bigint() })
    for (const [declared, at] of [
      [kinds, '2026-01-01T00:00:00Z'],
      [{ ...kinds, 'bell.rung': count }, 1n],
    ] as const) {
      const provider = doorbell({
        events: declared as unknown as typeof events,
        normalize: (delivery) =>
          [normalize(delivery)].flat().map((one) => ({ ...one, data: { ...one.data, at } })),
        notify: () => ({ title: 'The bell', text: 'At the door', severity: 'info' }),
      })
      const told: string[] = []
      expect(await failuresOf({ provider }, told)).toEqual([
        'gives every event data that is the same after a journey as JSON',
      ])
      expect(told).toEqual([expect.stringContaining('texts or numbers for times, texts for big integers')])
    }
  })

  it('a key that hangs on the serialization, unless the provider says so', async () => {
    const provider = doorbell({
      normalize: (delivery) => [normalize(delivery)].flat().map((one) => ({ ...one, key: [] })),
    })
    const messages: string[] = []
    expect(await failuresOf({ provider }, messages)).toEqual([
      'gives the same ids to another serialization of the same payload',
    ])
    expect(messages).toEqual([expect.stringContaining("lacks: ['stable-key']")])
    expect(await failuresOf({ provider, lacks: ['stable-key'] })).toEqual([])
  })

  it('a service whose own deliveries read like a manual test', async () => {
    const sample = { ...samples[0]!, body: { type: 'bell.rung', payload: { door: 'front' } } }
    expect(await failuresOf({ samples: [sample, ...samples.slice(1)] })).toContain(
      'sends nothing that reads like a manual test',
    )
  })

  it('a declared kind that no sample shows', async () => {
    expect(await failuresOf({ samples: samples.slice(0, 1) })).toContain(
      'produces exactly the kinds that it declares',
    )
  })

  it('data that the schema refuses', async () => {
    const provider = doorbell({
      normalize: (delivery) =>
        [normalize(delivery)].flat().map((one) => ({ ...one, data: {} as { door: string } })),
    })
    expect(await failuresOf({ provider })).toContain('produces exactly the kinds that it declares')
  })

  it('an event made of anything', async () => {
    const provider = doorbell({
      normalize: () => ({ kind: 'bell.rung', key: ['k'], subject: 'front', data: { door: 'front' } }),
    })
    expect(await failuresOf({ provider })).toEqual(
      expect.arrayContaining([
        'ignores what it has no kind for',
        'makes no event of a payload that is not the service’s',
      ]),
    )
  })

  it('signatures in a second form, unless the provider says so', async () => {
    const provider = doorbell({ signature: lenient((presented) => presented.toLowerCase()) })
    expect(await failuresOf({ provider })).toEqual([
      'refuses headers with any bit flipped',
      'refuses a second form of a signature: doubled, lengthened, in another case',
    ])
    expect(await failuresOf({ provider, lacks: ['one-form'] })).toEqual([])
    const cut = doorbell({ signature: lenient((presented) => presented.slice(0, 64)) })
    expect(await failuresOf({ provider: cut })).toEqual([
      'refuses a second form of a signature: doubled, lengthened, in another case',
    ])
  })

  it('a truncated tag that is accepted', async () => {
    const provider = doorbell({
      signature: {
        ...signature,
        async verify(delivery, secrets, now) {
          const presented = delivery.headers.get('x-bell-signature') ?? ''
          for (const secret of secrets.filter((one) => one !== '')) {
            const tag = (await signature.sign(delivery, secret, now))['x-bell-signature'] ?? ''
            if (presented !== '' && tag.startsWith(presented)) return { verified: true, body: delivery.body }
          }
          return { verified: false, reason: 'mismatch' }
        },
      },
    })
    expect(await failuresOf({ provider })).toEqual(['refuses truncated headers'])
  })

  it('an empty secret, only the first of several, and a secret in a message', async () => {
    const constant = (verified: boolean): Partial<Doorbell> => ({
      signature: {
        ...signature,
        verify: ({ body }) => (verified ? { verified, body } : { verified: false, reason: 'mismatch' }),
      },
    })
    expect(await failuresOf({ provider: doorbell(constant(true)) })).toContain(
      'refuses an empty secret, which anybody could sign with',
    )
    expect(await failuresOf({ provider: doorbell(constant(false)) })).toContain(
      'verifies what it signs, and hands on the signed bytes',
    )
    const firstOnly = { ...signature, verify: lenient(String).verify }
    firstOnly.verify = (delivery, secrets, now) => signature.verify(delivery, secrets.slice(0, 1), now)
    expect(await failuresOf({ provider: doorbell({ signature: firstOnly }) })).toEqual([
      'verifies with any of several secrets, and with none but them',
    ])
    const talkative = { ...signature }
    talkative.verify = async (delivery, secrets, now) => {
      const outcome = await signature.verify(delivery, secrets, now)
      if (!outcome.verified) throw new Error(`None of ${secrets.join()} matches`)
      return outcome
    }
    expect(await failuresOf({ provider: doorbell({ signature: talkative }) })).toContain(
      'refuses truncated headers',
    )
  })

  it('a proof that does not cover the body, unless the provider says so', async () => {
    const provider = doorbell({
      signature: {
        headers: ['x-bell-signature'],
        sign: (_, secret) => ({ 'x-bell-signature': secret }),
        verify: ({ headers, body }, secrets) => {
          const presented = headers.get('x-bell-signature')
          return presented !== null && presented !== '' && secrets.includes(presented)
            ? { verified: true, body }
            : { verified: false, reason: 'mismatch' }
        },
      },
    })
    expect(await failuresOf({ provider })).toEqual([
      'leaves the secret out of the headers, unless it is the proof itself',
      'refuses a body with any bit flipped, shortened, lengthened, or of another delivery',
      'hands on one body for all that have its signature',
      'covers a large body to its end',
    ])
    expect(await failuresOf({ provider, lacks: ['signed-body'] })).toEqual([])
  })

  it('a signed time that is not looked at', async () => {
    expect(await failuresOf({ toleranceMs: 300_000 })).toEqual([
      'refuses a delivery once its time is out of tolerance, in the past or in the future',
    ])
  })

  it('a notification that trusts manual data, or shows it as it came', async () => {
    const trusting = doorbell({
      notify: ({ data }) => ({ title: data.door.trim(), text: 'x', severity: 'info' }),
    })
    expect(await failuresOf({ provider: trusting })).toEqual(['survives whatever data a manual test carries'])
    const empty = doorbell({ notify: () => ({ title: '', text: '', severity: 'info' }) })
    expect(await failuresOf({ provider: empty })).toEqual([
      'makes a readable message of every sample',
      'survives whatever data a manual test carries',
    ])
    const linked = doorbell({
      notify: () => ({
        title: 't',
        text: 't',
        severity: 'info',
        links: [{ label: 'l', url: 'javascript:alert(1)' }],
      }),
    })
    expect(await failuresOf({ provider: linked })).toContain('makes a readable message of every sample')
  })
})
