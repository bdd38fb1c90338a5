import type { Verification } from '../ports.ts'
import { flippedBits, flippedText } from './mutations.ts'
import { deliveryOf, withoutHeader } from './provider-sample.ts'
import type { SuiteContext } from './provider-context.ts'
import type { TestRunner } from './runner.ts'

type Headers = Readonly<Record<string, string>>

/** The tests of a provider's signature scheme. */
export function testSignature({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { provider, samples, secret, otherSecret: other, now, url, promises, bytesOf, toleranceMs } = context
  const scheme = provider.signature

  const sign = async (body: Uint8Array, key = secret): Promise<Headers> =>
    scheme.sign(deliveryOf({}, body, url), key, now)
  const verify = async (
    body: Uint8Array,
    headers: Headers,
    { secrets = [secret], at = now } = {},
  ): Promise<Verification> => scheme.verify(deliveryOf(headers, body, url), secrets, at)

  const expectVerified = async (...attempt: Parameters<typeof verify>): Promise<void> => {
    expect((await verify(...attempt)).verified).toBe(true)
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

  const bodies = samples.map(({ body }) => bytesOf(body))
  const smallest = bodies.toSorted((a, b) => a.length - b.length)[0] ?? new Uint8Array()

  describe('signature', () => {
    it('verifies what it signs, and hands on the signed bytes', async () => {
      for (const body of [...bodies, new Uint8Array()]) {
        const headers = await sign(body)
        expect(Object.keys(headers).filter((name) => !scheme.headers.includes(name))).toEqual([])
        expect(Object.keys(headers)).not.toEqual([])
        await expectVerified(body, headers)
      }
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

    it('refuses a delivery without each of its headers', async () => {
      const headers = await sign(smallest)
      for (const name of Object.keys(headers)) {
        await expectRefused(`without ${name}`, smallest, withoutHeader(headers, name))
        await expectRefused(`with an empty ${name}`, smallest, { ...headers, [name]: '' })
      }
    })

    it('refuses headers with any bit flipped', async () => {
      const headers = await sign(smallest)
      for (const [name, value] of Object.entries(headers)) {
        for (const { at, text } of flippedText(value)) {
          if (!promises('one-form') && text.toLowerCase() === value.toLowerCase()) continue
          await expectRefused(`${name}: ${at}`, smallest, { ...headers, [name]: text })
        }
      }
    })

    it('refuses truncated headers', async () => {
      const headers = await sign(smallest)
      for (const [name, value] of Object.entries(headers)) {
        for (let length = 1; length < value.length; length += 1) {
          await expectRefused(`${name}: ${length} characters`, smallest, {
            ...headers,
            [name]: value.slice(0, length),
          })
        }
      }
    })

    if (promises('one-form')) {
      it('refuses a second form of a signature: doubled, lengthened, in another case', async () => {
        const headers = await sign(smallest)
        for (const [name, value] of Object.entries(headers)) {
          const forms = [`${value}, ${value}`, `${value},${value}`, `${value}0`, `${value}=`, `0${value}`]
          forms.push(value.toUpperCase(), value.toLowerCase())
          for (const form of forms.filter((form) => form !== value)) {
            await expectRefused(`${name} in a second form`, smallest, { ...headers, [name]: form })
          }
        }
      })
    }

    if (promises('signed-body')) {
      it('refuses a body with any bit flipped, shortened, lengthened, or of another delivery', async () => {
        for (const body of [...bodies, new TextEncoder().encode('{"a":"b"}')]) {
          const headers = await sign(body)
          for (const { at, bytes } of flippedBits(body)) await expectRefused(at, bytes, headers)
          await expectRefused('shortened', body.subarray(0, -1), headers)
          await expectRefused('lengthened', Uint8Array.of(...body, 0), headers)
          for (const foreign of bodies.filter((one) => one !== body)) {
            await expectRefused('another body', foreign, headers)
          }
        }
      })
    }

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
