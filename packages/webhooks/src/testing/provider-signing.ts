import type { Verification } from '../ports/ports.ts'
import { equalBytes } from './mutations.ts'
import { deliveryOf } from './provider-sample.ts'
import type { SuiteContext } from './provider-context.ts'
import type { TestRunner } from './runner.ts'

type Headers = Readonly<Record<string, string>>

/** What a scheme says of a delivery, in a word: where it does not verify, the test fails with the reason. */
export const verdictOf = (outcome: Verification): string => (outcome.verified ? 'verified' : outcome.reason)

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
