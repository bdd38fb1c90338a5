import type { Verification } from '../ports/ports.ts'
import { equalBytes, flipBit, flippedBits, reversedMembers, surrounded } from './mutations.ts'
import { type SuiteContext, deliveryOf } from './provider-options.ts'
import type { TestRunner } from './runner.ts'

type Headers = Readonly<Record<string, string>>

/** What a scheme says of a delivery, in a word: where it does not verify, the test fails with the reason. */
const verdictOf = (outcome: Verification): string => (outcome.verified ? 'verified' : outcome.reason)

/** Signs and verifies as the tests of a scheme do. */
export function signing({ expect }: TestRunner, context: SuiteContext) {
  const { provider, samples, secret, now, url, promises, bytesOf } = context
  const scheme = provider.signature

  const sign = async (body: Uint8Array, key = secret, headers: Headers = {}, at = now): Promise<Headers> =>
    scheme.sign(deliveryOf(headers, body, url), key, at)
  const verify = async (
    body: Uint8Array,
    headers: Headers,
    { secrets = [secret], at = now } = {},
  ): Promise<Verification> => scheme.verify(deliveryOf(headers, body, url), secrets, at)

  const expectVerified = async (...attempt: Parameters<typeof verify>): Promise<void> => {
    expect(verdictOf(await verify(...attempt))).toBe('verified')
  }
  /** What a delivery is read from: the bytes as they came, or a form of them that the same proof covers. */
  const isCovered = async (handedOn: unknown, body: Uint8Array, headers: Headers): Promise<boolean> => {
    if (!(handedOn instanceof Uint8Array)) return false
    if (equalBytes(handedOn, body)) return true
    return promises('signed-body') && (await verify(handedOn, headers)).verified
  }
  /** A scheme may also throw about an input that no service sends; neither way tells a secret. */
  const expectRefused = async (why: string, ...attempt: Parameters<typeof verify>): Promise<void> => {
    const outcome = await verify(...attempt).catch((error: unknown) => ({
      verified: false,
      error: String(error),
    }))
    expect(outcome.verified ? `verified: ${why}` : 'refused').toBe('refused')
    expect(JSON.stringify(outcome).includes(secret) ? `tells the secret: ${why}` : 'silent').toBe('silent')
  }

  const deliveries = samples.map(({ headers, body }) => ({ headers, bytes: bytesOf(body) }))
  const bodies = deliveries.map(({ bytes }) => bytes)
  const smallest = bodies.toSorted((a, b) => a.length - b.length)[0] ?? new Uint8Array()
  return { sign, verify, expectVerified, expectRefused, isCovered, deliveries, bodies, smallest }
}

/** What to do about a body that nobody signed. */
const adviceOnBodies =
  'what a scheme hands on is read and stored. Answer the bytes that the proof covers: those that came, or a form of them'

const isRefusedByTime = (outcome: Verification): boolean =>
  !outcome.verified && (outcome.reason === 'malformed' || outcome.reason === 'expired')

/** Defines the tests of the signature scheme. */
export function testSignature(runner: TestRunner, context: SuiteContext): void {
  const { describe, it, expect } = runner
  const {
    provider,
    samples,
    ignored,
    secret,
    otherSecret: other,
    now,
    promises,
    bytesOf,
    toleranceMs,
  } = context
  const scheme = provider.signature
  const { sign, verify, expectVerified, expectRefused, isCovered, deliveries, smallest } = signing(
    runner,
    context,
  )

  describe('signature', () => {
    it('verifies its own signatures and returns the signed bytes', async () => {
      const empty = { headers: {}, bytes: new Uint8Array() }
      for (const { headers, bytes } of [...deliveries, empty]) {
        const signed = await sign(bytes, secret, headers)
        expect(Object.keys(signed).filter((name) => !scheme.headers.includes(name))).toEqual([])
        expect(Object.keys(signed)).not.toEqual([])
        const proof = { ...headers, ...signed }
        const outcome = await verify(bytes, proof)
        // Where the signed time is in the body, an empty one has none.
        if (bytes.length === 0 && Number.isFinite(toleranceMs) && isRefusedByTime(outcome)) continue
        expect(verdictOf(outcome)).toBe('verified')
        const handedOn = outcome.verified ? outcome.body : undefined
        expect(await isCovered(handedOn, bytes, proof), adviceOnBodies).toBe(true)
      }
    })

    it('accepts bodies as large as the samples', () => {
      const largest = Math.max(0, ...[...samples, ...ignored].map(({ body }) => bytesOf(body).length))
      expect({ largest, refused: largest > (provider.bodyLimit ?? Infinity) }).toEqual({
        largest,
        refused: false,
      })
    })

    it('does not send the secret in the headers', async () => {
      if (!promises('signed-body')) return
      expect(JSON.stringify(await sign(smallest)).includes(secret)).toBe(false)
    })

    it('verifies only with one of the given secrets', async () => {
      const headers = await sign(smallest)
      await expectVerified(smallest, headers, { secrets: [other, secret] })
      await expectVerified(smallest, headers, { secrets: [secret, other] })
      await expectVerified(smallest, headers, { secrets: ['', secret] })
      await expectRefused('another secret', smallest, headers, { secrets: [other] })
      await expectRefused('no secret', smallest, headers, { secrets: [] })
    })

    it('rejects an empty secret', async () => {
      // An HMAC pads its key with NUL: one NUL signs as an empty secret would, where a scheme refuses to sign with none.
      for (const empty of ['', '\0']) {
        const headers = await sign(smallest, empty).catch(() => undefined)
        if (headers === undefined) continue
        await expectRefused('an empty secret', smallest, headers, { secrets: [''] })
        await expectRefused('an empty secret among others', smallest, headers, { secrets: ['', other] })
      }
    })

    if (Number.isFinite(toleranceMs)) {
      it('rejects a timestamp outside the tolerance', async () => {
        const headers = await sign(smallest)
        await expectVerified(smallest, headers, { at: now + toleranceMs - 1000 })
        await expectRefused('too old', smallest, headers, { at: now + toleranceMs + 1000 })
        await expectRefused('from the future', smallest, headers, { at: now - toleranceMs - 1000 })
      })
    }
  })
}

/** What to do about bodies that share a proof. */
const adviceOnForms =
  'whoever has captured the delivery has a second event under its signature, where the hash of the body is the key. ' +
  'Sign the bytes as they came, or hand on the form of them that was signed'

/** Larger than the parts in which bodies are read, as far as the service sends such bodies. */
const largeBody = 128 * 1024

/** The payload with one more member that is so long; in a list, where it is no object. */
function lengthened(payload: unknown, length: number): unknown {
  const padding = 'x'.repeat(length)
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
  return isObject ? { ...payload, padding } : [payload, padding].flat()
}

/** Defines the tests of the signed part of a body. */
export function testBodies(runner: TestRunner, context: SuiteContext): void {
  const { describe, it, expect } = runner
  const { provider, samples, secret, encode, bytesOf } = context
  const { sign, verify, expectVerified, expectRefused } = signing(runner, context)

  /** What a scheme hands on; nothing where it refuses or throws. */
  const handedOn = async (...attempt: Parameters<typeof verify>): Promise<Uint8Array | undefined> => {
    const outcome = await verify(...attempt).catch(() => undefined)
    return outcome?.verified === true ? outcome.body : undefined
  }

  describe('signature of a body', () => {
    it('returns one body for all bodies with the same signature', async () => {
      for (const { kind, headers, body } of samples) {
        const bytes = bytesOf(body)
        const proof = { ...headers, ...(await sign(bytes, secret, headers)) }
        const signed = await handedOn(bytes, proof)
        if (!(signed instanceof Uint8Array)) continue
        const others = [
          ...surrounded(bytes),
          { at: 'spaced', bytes: encode(JSON.stringify(body, null, 2)) },
          { at: 'in another order', bytes: bytesOf(reversedMembers(body)) },
        ]
        for (const { at, bytes: other } of others) {
          const second = await handedOn(other, proof)
          const isOne = second === undefined || equalBytes(second, signed)
          expect(isOne ? kind : `${kind}: a second body, ${at}`, adviceOnForms).toBe(kind)
        }
      }
    })

    it('covers a large body completely', async () => {
      const [sample] = samples
      if (sample === undefined) return
      const room = (provider.bodyLimit ?? Infinity) - bytesOf(lengthened(sample.body, 0)).length
      const bytes = bytesOf(lengthened(sample.body, Math.max(0, Math.min(largeBody, room))))
      const proof = { ...sample.headers, ...(await sign(bytes, secret, sample.headers)) }
      await expectVerified(bytes, proof)
      for (const flipped of flippedBits(bytes, 32)) await expectRefused(flipped.at, flipped.bytes, proof)
      await expectRefused('the last byte', flipBit(bytes, bytes.length * 8 - 8), proof)
      await expectRefused('shortened', bytes.subarray(0, -1), proof)
    })
  })
}
