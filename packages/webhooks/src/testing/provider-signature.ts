import type { Verification } from '../ports/ports.ts'
import { signing, verdictOf } from './provider-signing.ts'
import type { SuiteContext } from './provider-context.ts'
import type { TestRunner } from './runner.ts'

/** What to do about a body that nobody signed. */
const adviceOnBodies =
  'what a scheme hands on is read and stored. Answer the bytes that the proof covers: those that came, or a form of them'

const isRefusedByTime = (outcome: Verification): boolean =>
  !outcome.verified && (outcome.reason === 'malformed' || outcome.reason === 'expired')

/** The tests of what a provider's signature scheme admits. */
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
    it('verifies what it signs, and hands on the signed bytes', async () => {
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

    it('allows bodies as large as those of the service', () => {
      const largest = Math.max(0, ...[...samples, ...ignored].map(({ body }) => bytesOf(body).length))
      expect({ largest, refused: largest > (provider.bodyLimit ?? Infinity) }).toEqual({
        largest,
        refused: false,
      })
    })

    it('leaves the secret out of the headers, unless it is the proof itself', async () => {
      if (!promises('signed-body')) return
      expect(JSON.stringify(await sign(smallest)).includes(secret)).toBe(false)
    })

    it('verifies with any of several secrets, and with none but them', async () => {
      const headers = await sign(smallest)
      await expectVerified(smallest, headers, { secrets: [other, secret] })
      await expectVerified(smallest, headers, { secrets: [secret, other] })
      await expectVerified(smallest, headers, { secrets: ['', secret] })
      await expectRefused('another secret', smallest, headers, { secrets: [other] })
      await expectRefused('no secret', smallest, headers, { secrets: [] })
    })

    it('refuses an empty secret, which anybody could sign with', async () => {
      // An HMAC pads its key with NUL: one NUL signs as an empty secret would, where a scheme refuses to sign with none.
      for (const empty of ['', '\0']) {
        const headers = await sign(smallest, empty).catch(() => undefined)
        if (headers === undefined) continue
        await expectRefused('an empty secret', smallest, headers, { secrets: [''] })
        await expectRefused('an empty secret among others', smallest, headers, { secrets: ['', other] })
      }
    })

    if (Number.isFinite(toleranceMs)) {
      it('refuses a delivery once its time is out of tolerance, in the past or in the future', async () => {
        const headers = await sign(smallest)
        await expectVerified(smallest, headers, { at: now + toleranceMs - 1000 })
        await expectRefused('too old', smallest, headers, { at: now + toleranceMs + 1000 })
        await expectRefused('from the future', smallest, headers, { at: now - toleranceMs - 1000 })
      })
    }
  })
}
