import type { Verification } from '../ports/ports.ts'
import { equalBytes, flipBit, flippedBits, reversedMembers, surrounded } from './mutations.ts'
import { type SuiteContext, createRequest } from './provider-options.ts'
import type { TestRunner } from './runner.ts'

type Headers = Readonly<Record<string, string>>

/** The result of a verification, for the messages of failed tests. */
const getVerdict = (outcome: Verification): string => (outcome.verified ? 'verified' : outcome.reason)

/** Creates the functions that sign and verify in the tests. */
export function signing({ expect }: TestRunner, context: SuiteContext) {
  const { provider, samples, secret, now, url, promises, encodeSample } = context
  const scheme = provider.signature

  const sign = async (body: Uint8Array, key = secret, headers: Headers = {}, at = now): Promise<Headers> =>
    scheme.sign(createRequest(headers, body, url), key, at)
  const verify = async (
    body: Uint8Array,
    headers: Headers,
    { secrets = [secret], at = now } = {},
  ): Promise<Verification> => scheme.verify(createRequest(headers, body, url), secrets, at)

  const expectVerified = async (...attempt: Parameters<typeof verify>): Promise<void> => {
    expect(getVerdict(await verify(...attempt))).toBe('verified')
  }
  /** Returns the body of the verified delivery, which can be another form of the signed bytes. */
  const isCovered = async (readVerified: unknown, body: Uint8Array, headers: Headers): Promise<boolean> => {
    if (!(readVerified instanceof Uint8Array)) return false
    if (equalBytes(readVerified, body)) return true
    return promises('signed-body') && (await verify(readVerified, headers)).verified
  }
  /** Expects a rejection or an error without the secret. */
  const expectRefused = async (why: string, ...attempt: Parameters<typeof verify>): Promise<void> => {
    const outcome = await verify(...attempt).catch((error: unknown) => ({
      verified: false,
      error: String(error),
    }))
    expect(outcome.verified ? `verified: ${why}` : 'refused').toBe('refused')
    expect(JSON.stringify(outcome).includes(secret) ? `contains the secret: ${why}` : 'silent').toBe('silent')
  }

  const deliveries = samples.map(({ headers, body }) => ({ headers, bytes: encodeSample(body) }))
  const bodies = deliveries.map(({ bytes }) => bytes)
  const smallest = bodies.toSorted((a, b) => a.length - b.length)[0] ?? new Uint8Array()
  return { sign, verify, expectVerified, expectRefused, isCovered, deliveries, bodies, smallest }
}

const adviceOnBodies =
  'what a scheme passes through is read and stored. Answer the bytes that the proof covers: those that came, or a form of them'

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
    encodeSample,
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
        // An empty body has no signed time.
        if (bytes.length === 0 && Number.isFinite(toleranceMs) && isRefusedByTime(outcome)) continue
        expect(getVerdict(outcome)).toBe('verified')
        const readVerified = outcome.verified ? outcome.body : undefined
        expect(await isCovered(readVerified, bytes, proof), adviceOnBodies).toBe(true)
      }
    })

    it('accepts bodies as large as the samples', () => {
      const largest = Math.max(0, ...[...samples, ...ignored].map(({ body }) => encodeSample(body).length))
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
      // HMAC pads its key with NUL, so a NUL is equivalent to an empty secret, which some schemes reject.
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

const adviceOnForms =
  'a captured delivery becomes a second event if the hash of the body is the key. ' +
  'Sign the received bytes, or return the signed form of the body'

/** Larger than the chunks of a body. */
const largeBody = 128 * 1024

/** Adds a member of the given length to a payload. */
function lengthened(payload: unknown, length: number): unknown {
  const padding = 'x'.repeat(length)
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
  return isObject ? { ...payload, padding } : [payload, padding].flat()
}

/** Defines the tests of the signed part of a body. */
export function testBodies(runner: TestRunner, context: SuiteContext): void {
  const { describe, it, expect } = runner
  const { provider, samples, secret, encode, encodeSample } = context
  const { sign, verify, expectVerified, expectRefused } = signing(runner, context)

  /** Returns the body of a verified delivery, or undefined for a rejected delivery. */
  const readVerified = async (...attempt: Parameters<typeof verify>): Promise<Uint8Array | undefined> => {
    const outcome = await verify(...attempt).catch(() => undefined)
    return outcome?.verified === true ? outcome.body : undefined
  }

  describe('signature of a body', () => {
    it('returns one body for all bodies with the same signature', async () => {
      for (const { kind, headers, body } of samples) {
        const bytes = encodeSample(body)
        const proof = { ...headers, ...(await sign(bytes, secret, headers)) }
        const signed = await readVerified(bytes, proof)
        if (!(signed instanceof Uint8Array)) continue
        const others = [
          ...surrounded(bytes),
          { at: 'spaced', bytes: encode(JSON.stringify(body, null, 2)) },
          { at: 'in another order', bytes: encodeSample(reversedMembers(body)) },
        ]
        for (const { at, bytes: other } of others) {
          const second = await readVerified(other, proof)
          const isOne = second === undefined || equalBytes(second, signed)
          expect(isOne ? kind : `${kind}: a second body, ${at}`, adviceOnForms).toBe(kind)
        }
      }
    })

    it('covers a large body completely', async () => {
      const [sample] = samples
      if (sample === undefined) return
      const room = (provider.bodyLimit ?? Infinity) - encodeSample(lengthened(sample.body, 0)).length
      const bytes = encodeSample(lengthened(sample.body, Math.max(0, Math.min(largeBody, room))))
      const proof = { ...sample.headers, ...(await sign(bytes, secret, sample.headers)) }
      await expectVerified(bytes, proof)
      for (const flipped of flippedBits(bytes, 32)) await expectRefused(flipped.at, flipped.bytes, proof)
      await expectRefused('the last byte', flipBit(bytes, bytes.length * 8 - 8), proof)
      await expectRefused('shortened', bytes.subarray(0, -1), proof)
    })
  })
}
