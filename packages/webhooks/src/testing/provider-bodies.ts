import { equalBytes, flipBit, flippedBits, reversedMembers, surrounded } from './mutations.ts'
import { signing } from './provider-signing.ts'
import type { SuiteContext } from './provider-context.ts'
import type { TestRunner } from './runner.ts'

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

/** The tests of how much of a body a signature covers. */
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
    it('hands on one body for all that have its signature', async () => {
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

    it('covers a large body to its end', async () => {
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
