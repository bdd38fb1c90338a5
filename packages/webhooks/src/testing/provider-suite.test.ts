import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  doorbell,
  events,
  findFailures,
  ignored,
  normalize,
  payload,
  samples,
  signature,
  type Doorbell,
} from '../../test/suite-under-test.ts'
import { defineProvider } from '../provider/provider.ts'
import { defineService } from '../provider/service.ts'
import { testProvider } from './provider-suite.ts'

testProvider({ describe, expect, it }, { provider: doorbell(), samples, ignored })

/** A text of three parts as in RFC 7515, whose last part is ignored. */
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

describe('testProvider detects', () => {
  it('no failure of a correct provider', async () => {
    expect(await findFailures({})).toEqual([])
  })

  it('no failure of a provider without keys, or of one that passes kinds through without a sample', async () => {
    const keyless = doorbell({
      normalize: (delivery) =>
        [normalize(delivery)].flat().map(({ kind, subject, data }) => ({ kind, subject, data })),
    })
    expect(await findFailures({ provider: keyless, lacks: ['stable-key'] })).toEqual([])

    const service = defineService({ name: 'doorbell', signature, kind: 'what', id: 'id', subject: 'door' })
    const sample = { ...samples[0]!, kind: 'rung' }
    expect(await findFailures({ provider: service, samples: [sample], ignored: [] })).toEqual([])
    const extended = defineProvider({
      ...service,
      events,
      normalize: (delivery) => [...[normalize(delivery)].flat(), ...service.normalize(delivery)],
    })
    expect(await findFailures({ provider: extended, ignored: [] })).toEqual([])
  })

  it('a key from an unsigned header', async () => {
    const provider = doorbell({
      normalize: (delivery) => {
        const event = [normalize(delivery)].flat()
        return event.map((one) => ({ ...one, key: [delivery.headers.get('x-bell-id') ?? ''] }))
      },
    })
    expect(await findFailures({ provider })).toEqual([
      'derives every key from the payload',
      'produces no second event when unsigned headers change',
    ])
  })

  it('a key that distinct events share', async () => {
    const constant = doorbell({
      normalize: (delivery) => [normalize(delivery)].flat().map((one) => ({ ...one, key: ['k'] })),
    })
    const again = { ...samples[0]!, body: { id: 'r-2', what: 'rung', door: 'front' } }
    expect(await findFailures({ provider: constant, samples: [...samples, again] })).toEqual([
      'produces distinct ids for distinct events',
      'derives every key from the payload',
    ])
    // It once took two samples of one kind to notice it.
    expect(await findFailures({ provider: constant })).toEqual(['derives every key from the payload'])
  })

  // It once took a payload that is refused when it reads otherwise for one that the key ignores.
  it.each([
    ['an encoded text', { signedPayload: encoded({ id: 'r-1', what: 'rung', door: 'front' }) }],
    ['a date', { day: '2026-01-31' }],
    ['letters of upper case only', { ref: 'QWERTYUI' }],
    ['a text of one form', { once: 'the-only-one' }],
  ])('no failure of a key in %s', async (_, body) => {
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
    expect(await findFailures({ provider, samples: [sample], ignored: [] })).toEqual([])
  })

  it('data that does not survive JSON serialization', async () => {
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
      expect(await findFailures({ provider }, told)).toEqual([
        'produces data that survives JSON serialization',
      ])
      expect(told).toEqual([
        expect.stringContaining('strings or numbers for times, strings for big integers'),
      ])
    }
  })

  it('a key that depends on the serialization', async () => {
    const provider = doorbell({
      normalize: (delivery) => [normalize(delivery)].flat().map((one) => ({ ...one, key: [] })),
    })
    const messages: string[] = []
    expect(await findFailures({ provider }, messages)).toEqual([
      'produces the same ids for another serialization of the payload',
    ])
    expect(messages).toEqual([expect.stringContaining("lacks: ['stable-key']")])
    expect(await findFailures({ provider, lacks: ['stable-key'] })).toEqual([])
  })

  it('samples that look like manual tests', async () => {
    const sample = { ...samples[0]!, body: { type: 'bell.rung', payload: { door: 'front' } } }
    expect(await findFailures({ samples: [sample, ...samples.slice(1)] })).toContain(
      'does not produce manual test events from samples',
    )
  })

  it('a declared kind that no sample shows', async () => {
    expect(await findFailures({ samples: samples.slice(0, 1) })).toContain('produces each declared kind')
  })

  it('data that the schema refuses', async () => {
    const provider = doorbell({
      normalize: (delivery) =>
        [normalize(delivery)].flat().map((one) => ({ ...one, data: {} as { door: string } })),
    })
    expect(await findFailures({ provider })).toContain('produces each declared kind')
  })

  it('an event made of anything', async () => {
    const provider = doorbell({
      normalize: () => ({ kind: 'bell.rung', key: ['k'], subject: 'front', data: { door: 'front' } }),
    })
    expect(await findFailures({ provider })).toEqual(
      expect.arrayContaining([
        'ignores payloads without a kind',
        'produces no event of a known kind from a foreign payload',
      ]),
    )
  })

  it('signatures in a second form', async () => {
    const provider = doorbell({ signature: lenient((presented) => presented.toLowerCase()) })
    expect(await findFailures({ provider })).toEqual([
      'rejects headers with a flipped bit',
      'rejects a second form of a signature',
    ])
    expect(await findFailures({ provider, lacks: ['one-form'] })).toEqual([])
    const cut = doorbell({ signature: lenient((presented) => presented.slice(0, 64)) })
    expect(await findFailures({ provider: cut })).toEqual(['rejects a second form of a signature'])
  })

  it('an accepted truncated tag', async () => {
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
    expect(await findFailures({ provider })).toEqual(['rejects truncated headers'])
  })

  it('an accepted empty secret, an ignored second secret and a secret in an error', async () => {
    const constant = (verified: boolean): Partial<Doorbell> => ({
      signature: {
        ...signature,
        verify: ({ body }) => (verified ? { verified, body } : { verified: false, reason: 'mismatch' }),
      },
    })
    expect(await findFailures({ provider: doorbell(constant(true)) })).toContain('rejects an empty secret')
    expect(await findFailures({ provider: doorbell(constant(false)) })).toContain(
      'verifies its own signatures and returns the signed bytes',
    )
    const firstOnly = { ...signature, verify: lenient(String).verify }
    firstOnly.verify = (delivery, secrets, now) => signature.verify(delivery, secrets.slice(0, 1), now)
    expect(await findFailures({ provider: doorbell({ signature: firstOnly }) })).toEqual([
      'verifies only with one of the given secrets',
    ])
    const talkative = { ...signature }
    talkative.verify = async (delivery, secrets, now) => {
      const outcome = await signature.verify(delivery, secrets, now)
      if (!outcome.verified) throw new Error(`None of ${secrets.join()} matches`)
      return outcome
    }
    expect(await findFailures({ provider: doorbell({ signature: talkative }) })).toContain(
      'rejects truncated headers',
    )
  })

  it('a proof that does not cover the body', async () => {
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
    expect(await findFailures({ provider })).toEqual([
      'does not send the secret in the headers',
      'rejects a changed body',
      'returns one body for all bodies with the same signature',
      'covers a large body completely',
    ])
    expect(await findFailures({ provider, lacks: ['signed-body'] })).toEqual([])
  })

  it('an unchecked timestamp', async () => {
    expect(await findFailures({ toleranceMs: 300_000 })).toEqual([
      'rejects a timestamp outside the tolerance',
    ])
  })

  it('a notification that trusts manual data', async () => {
    const trusting = doorbell({
      notify: ({ data }) => ({ title: data.door.trim(), text: 'x', severity: 'info' }),
    })
    expect(await findFailures({ provider: trusting })).toEqual([
      'produces readable messages for any data of a manual test',
    ])
    const empty = doorbell({ notify: () => ({ title: '', text: '', severity: 'info' }) })
    expect(await findFailures({ provider: empty })).toEqual([
      'produces a readable message for every sample',
      'produces readable messages for any data of a manual test',
    ])
    const linked = doorbell({
      notify: () => ({
        title: 't',
        text: 't',
        severity: 'info',
        links: [{ label: 'l', url: 'javascript:alert(1)' }],
      }),
    })
    expect(await findFailures({ provider: linked })).toContain('produces a readable message for every sample')
  })
})
