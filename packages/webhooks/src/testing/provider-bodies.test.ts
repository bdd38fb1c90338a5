import { describe, expect, it } from 'vitest'
import { doorbell, findFailures, normalize, samples, signature } from '../../test/suite-under-test.ts'
import type { Delivery, SignatureScheme } from '../index.ts'

/** The scheme, with the proof of another form of the body; it passes the body through as it came. */
const signing = (form: (body: Uint8Array) => Uint8Array): SignatureScheme => {
  const formed = (delivery: Delivery): Delivery => ({ ...delivery, body: form(delivery.body) })
  return {
    ...signature,
    sign: (delivery, ...rest) => signature.sign(formed(delivery), ...rest),
    verify: async (delivery, ...rest) => {
      const outcome = await signature.verify(formed(delivery), ...rest)
      return outcome.verified ? { verified: true, body: delivery.body } : outcome
    },
  }
}

/** The same, and it passes the form through. */
const handingOn = (form: (body: Uint8Array) => Uint8Array): SignatureScheme => {
  const signed = signing(form)
  return {
    ...signed,
    verify: async (delivery, ...rest) => {
      const outcome = await signed.verify(delivery, ...rest)
      return outcome.verified ? { verified: true, body: form(outcome.body) } : outcome
    },
  }
}

/** Where the hash of the body is the key, each body is an event. */
const failuresFor = (scheme: SignatureScheme, changes: object = {}) => {
  const hashed = (...[delivery]: Parameters<typeof normalize>) =>
    [normalize(delivery)].flat().map((one) => ({ ...one, key: [] }))
  const provider = doorbell({ signature: scheme, normalize: hashed, ...changes })
  return findFailures({ provider, lacks: ['stable-key'] })
}

const asText = (change: (text: string) => string) => (body: Uint8Array) =>
  new TextEncoder().encode(change(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)))
const withoutMark = (body: Uint8Array) => new TextEncoder().encode(new TextDecoder().decode(body))
const sorted = asText((text) => {
  try {
    return JSON.stringify(Object.entries(JSON.parse(text) as object).toSorted())
  } catch {
    return text
  }
})

const forms: readonly [string, (body: Uint8Array) => Uint8Array][] = [
  ['without trailing space', asText((text) => text.trimEnd())],
  ['without leading space', asText((text) => text.trimStart())],
  ['without a trailing line feed', asText((text) => text.replace(/\n$/, ''))],
  ['without a byte order mark', withoutMark],
]

describe('testProvider detects a scheme that signs the body', () => {
  it.each([...forms, ['in another order of members', sorted]] as const)(
    '%s but returns the whole body',
    async (_, form) => {
      expect(await failuresFor(signing(form))).toEqual([
        'returns one body for all bodies with the same signature',
      ])
    },
  )

  // Bodies of the samples are smaller.
  it.each([4096, 65_536, 131_072])('up to its first %i bytes', async (length) => {
    const first = (body: Uint8Array) => body.subarray(0, length)
    expect(await failuresFor(signing(first))).toEqual(['covers a large body completely'])
  })

  it('up to less than the body limit', async () => {
    const failuresOfFirst = (length: number) =>
      failuresFor(
        signing((body) => body.subarray(0, length)),
        { bodyLimit: 1000 },
      )
    expect(await failuresOfFirst(999)).toEqual(['covers a large body completely'])
    expect(await failuresOfFirst(1000)).toEqual([])
  })
})

describe('testProvider accepts a scheme that returns the signed form:', () => {
  it.each(forms)('the body %s', async (_, form) => {
    expect(await failuresFor(handingOn(form))).toEqual([])
  })
})

it('takes samples of hundreds of kilobytes', async () => {
  const large = samples.map((sample) => ({
    ...sample,
    body: { ...(sample.body as object), text: 'x'.repeat(300_000) },
  }))
  expect(await findFailures({ samples: large })).toEqual([])
})
