import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Delivery, SignatureScheme, Verification } from '../src/index.ts'
import { flippedBits, flippedText } from '../src/testing/mutations.ts'
import { createRequest, withoutHeader } from '../src/testing/provider-options.ts'

/** A private and a public key, or the same shared secret twice. */
export interface SchemeKeys {
  readonly sign: string
  readonly verify: string
}

export interface SchemeCase {
  readonly name: string
  readonly scheme: SignatureScheme
  readonly keys: SchemeKeys
  /** Other keys in the same encoding. */
  readonly others: SchemeKeys
  /** The time for which a captured delivery verifies. @default no limit */
  readonly toleranceMs?: number
  /** Whether the proof covers the body. @default true */
  readonly coversBody?: boolean
  /** Whether a header can contain several signatures. @default false */
  readonly isList?: boolean
  /** Whether two header values are equivalent. @default equality */
  readonly sameHeader?: (a: string, b: string) => boolean
  /** Returns the signed form of a body. @default the unchanged body */
  readonly signedForm?: (body: Uint8Array) => Uint8Array
  /** A secret that the scheme cannot use. @default every text is usable */
  readonly unusable?: string
}

const now = Date.UTC(2026, 0, 1)
const url = 'https://hooks.example/webhooks/x?a=b%20c'
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const small = utf8('{"a":"b"}')

/** Bodies with special bytes and characters. */
const oddBodies = [
  new Uint8Array(),
  Uint8Array.of(0),
  Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
  Uint8Array.of(0xff, 0xfe, 0x80),
  utf8(`{"price":"$& $$ $' $\` {body} %s"}`),
  utf8('{"a":"\u2028 😀 \\u0000"}\r\n'),
  new Uint8Array(200_000).fill(0x61),
]

/** Defines the tests of a signature scheme. */
export function describeScheme(options: SchemeCase): void {
  const { name, scheme, keys, others, toleranceMs, isList = false, coversBody = true } = options
  const { signedForm = (body: Uint8Array) => body } = options
  const sameHeader = options.sameHeader ?? ((a, b) => a === b)
  type Headers = Readonly<Record<string, string>>

  const delivery = (headers: Headers, body: Uint8Array): Delivery => createRequest(headers, body, url)
  const sign = async (body: Uint8Array, key = keys.sign, at = now): Promise<Headers> =>
    scheme.sign(delivery({}, body), key, at)
  const verify = async (
    body: Uint8Array,
    headers: Headers,
    secrets: readonly string[] = [keys.verify],
    at = now,
  ): Promise<Verification> => scheme.verify(delivery(headers, body), secrets, at)
  const expectRefused = async (why: string, ...attempt: Parameters<typeof verify>): Promise<void> => {
    const verification = await verify(...attempt)
    expect({ why, verified: verification.verified }).toEqual({ why, verified: false })
  }
  const all = async (attempts: readonly Promise<void>[]): Promise<void> => {
    await Promise.all(attempts)
  }

  describe(name, () => {
    it('verifies its own signature and returns the signed bytes', async () => {
      for (const body of oddBodies) {
        const headers = await sign(body)
        expect(await verify(body, headers)).toMatchObject({ verified: true, body: signedForm(body) })
        for (const header of Object.keys(headers)) expect(scheme.headers).toContain(header)
      }
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (body) => {
          expect(await verify(body, await sign(body))).toMatchObject({
            verified: true,
            body: signedForm(body),
          })
        }),
        { numRuns: 20 },
      )
    })

    it('verifies with any of the given secrets only', async () => {
      const headers = await sign(small)
      for (const secrets of [
        [others.verify, keys.verify],
        [keys.verify, others.verify],
        ['', keys.verify],
        [keys.verify, keys.verify],
      ]) {
        expect((await verify(small, headers, secrets)).verified).toBe(true)
      }
      await expectRefused('another secret', small, headers, [others.verify])
      await expectRefused('an empty secret', small, headers, [''])
      await expectRefused('no secret', small, headers, [])
      expect(
        (await verify(small, await sign(small, others.sign), [keys.verify, others.verify])).verified,
      ).toBe(true)
    })

    it('does not sign with an empty secret', async () => {
      await expect(sign(small, '')).rejects.toThrow()
    })

    it('rejects a delivery without one of its headers as `missing`', async () => {
      const headers = await sign(small)
      for (const header of Object.keys(headers)) {
        expect(await verify(small, withoutHeader(headers, header))).toEqual({
          verified: false,
          reason: 'missing',
        })
        expect(await verify(small, { ...headers, [header]: '' })).toEqual({
          verified: false,
          reason: 'malformed',
        })
      }
    })

    it('rejects headers with a flipped bit, and shorter or longer headers', async () => {
      const headers = await sign(small)
      for (const [header, value] of Object.entries(headers)) {
        const forms = [...flippedText(value)].map(({ text }) => text)
        for (let length = 0; length < value.length; length++)
          forms.push(value.slice(0, length), value.slice(length + 1))
        for (const more of ['0', '=', 'A', ' ', '\t', '.', ',', ';', '\0'])
          forms.push(value + more, more + value)
        forms.push(value.toUpperCase(), value.toLowerCase(), value.replace(/=+$/, ''), `${value}==`)
        forms.push(value.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(value))
        if (!isList) forms.push(`${value}, ${value}`, `${value},${value}`, `${value} ${value}`)
        const wrong = [...new Set(forms)].filter((form) => !sameHeader(form, value))
        await all(
          wrong.map((form) => expectRefused(`${header}: ${form}`, small, { ...headers, [header]: form })),
        )
      }
    })

    if (coversBody) {
      it('rejects a body with a flipped bit, and a shorter or longer body', async () => {
        for (const body of [small, utf8(JSON.stringify({ a: 'x'.repeat(300) }))]) {
          const headers = await sign(body)
          await all([...flippedBits(body)].map(({ at, bytes }) => expectRefused(at, bytes, headers)))
          await expectRefused('shortened', body.subarray(0, -1), headers)
          await expectRefused('lengthened', Uint8Array.of(...body, 0), headers)
          await expectRefused('empty', new Uint8Array(), headers)
        }
      })

      it('does not write the secret', async () => {
        expect(JSON.stringify(await sign(small))).not.toContain(keys.sign)
      })
    }

    if (toleranceMs !== undefined) {
      it('accepts a time within the tolerance and rejects a time outside of it', async () => {
        const headers = await sign(small)
        for (const at of [now - toleranceMs, now, now + toleranceMs]) {
          expect((await verify(small, headers, [keys.verify], at)).verified).toBe(true)
        }
        // Seconds are compared as whole numbers.
        for (const at of [now - toleranceMs - 1, now + toleranceMs + 1000, 0, now * 2]) {
          const verification = await verify(small, headers, [keys.verify], at)
          expect(verification).toEqual({ verified: false, reason: 'expired' })
        }
      })
    }

    const { unusable } = options
    if (unusable !== undefined) {
      it('throws PROVIDER_UNAVAILABLE without the secret when no other secret verifies', async () => {
        const headers = await sign(small)
        expect((await verify(small, headers, [unusable, keys.verify])).verified).toBe(true)
        for (const attempt of [
          () => verify(small, headers, [unusable]),
          () => verify(small, headers, [unusable, others.verify]),
          () => sign(small, unusable),
        ]) {
          const error = await attempt().then(
            () => undefined,
            (thrown: unknown) => thrown,
          )
          expect(error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', status: 503 })
          expect(JSON.stringify([error, String(error), String((error as Error).stack)])).not.toContain(
            unusable,
          )
        }
        await expectRefused('nothing presented', small, {}, [unusable])
      })
    }
  })
}
