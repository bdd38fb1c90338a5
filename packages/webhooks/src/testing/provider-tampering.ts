import { prepareHmac } from '../crypto/crypto.ts'
import { decodeText, encodeBytes, joinBytes, utf8 } from '../crypto/encoding.ts'
import { flippedBits, flippedText } from './mutations.ts'
import { type SuiteContext, deliveryOf, signedNamesOf, withoutHeader } from './provider-options.ts'
import { signing } from './provider-signature.ts'
import type { TestRunner } from './runner.ts'

/** What to do about a header that is called signed, and that nobody sends. */
const adviceOnSignedHeaders =
  'what `signedHeaders` and `signedIds` name is taken for content. ' +
  'Name the headers, in lower case, that `sign` makes or that are in the samples, and that the signature covers'

/** Defines the tests of changed deliveries. */
export function testTampering(runner: TestRunner, context: SuiteContext): void {
  const { describe, it, expect } = runner
  const { promises, secret, ignored, bytesOf } = context
  const { sign, expectRefused, deliveries, bodies, smallest } = signing(runner, context)
  const signedNames = signedNamesOf(context)

  /** Whether a header with one bit flipped says the same in a service that accepts more than one form. */
  const isSameForm = (text: string, value: string): boolean =>
    !promises('one-form') && text.toLowerCase() === value.toLowerCase()

  /** All that a service sends, with its proof. */
  async function* sent() {
    const others = ignored.map(({ headers, body }) => ({ headers, bytes: bytesOf(body) }))
    for (const { headers, bytes } of [...deliveries, ...others, { headers: {}, bytes: smallest }]) {
      const proof: Readonly<Record<string, string>> = { ...headers, ...(await sign(bytes, secret, headers)) }
      yield { bytes, proof }
    }
  }

  describe('signature of a changed delivery', () => {
    it('rejects a delivery without one of its headers', async () => {
      const headers = await sign(smallest)
      for (const name of Object.keys(headers)) {
        await expectRefused(`without ${name}`, smallest, withoutHeader(headers, name))
        await expectRefused(`with an empty ${name}`, smallest, { ...headers, [name]: '' })
      }
    })

    it('rejects headers with a flipped bit', async () => {
      const headers = await sign(smallest)
      for (const [name, value] of Object.entries(headers)) {
        for (const { at, text } of flippedText(value)) {
          if (isSameForm(text, value)) continue
          await expectRefused(`${name}: ${at}`, smallest, { ...headers, [name]: text })
        }
      }
    })

    it('rejects truncated headers', async () => {
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

    it('rejects a missing or changed signed header', async () => {
      let isSent = signedNames.length === 0
      for await (const { bytes, proof } of sent()) {
        // A scheme may read one family of headers or another, and a service leave out what it does not sign.
        for (const name of signedNames) {
          const value = proof[name]
          if (value === undefined || value === '') continue
          isSent = true
          await expectRefused(`without the signed ${name}`, bytes, withoutHeader(proof, name))
          for (const { at, text } of flippedText(value)) {
            if (isSameForm(text, value)) continue
            await expectRefused(`signed ${name}: ${at}`, bytes, { ...proof, [name]: text })
          }
        }
      }
      expect({ signedNames, isSent }, adviceOnSignedHeaders).toEqual({ signedNames, isSent: true })
    })

    if (promises('one-form')) {
      it('rejects a second form of a signature', async () => {
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
      it('rejects a changed body', async () => {
        for (const body of [...bodies, new TextEncoder().encode('{"a":"b"}')]) {
          const headers = await sign(body)
          for (const { at, bytes } of flippedBits(body)) await expectRefused(at, bytes, headers)
          await expectRefused('shortened', body.subarray(0, -1), headers)
          await expectRefused('lengthened', joinBytes([body, '\0']), headers)
          for (const foreign of bodies.filter((one) => one !== body)) {
            await expectRefused('another body', foreign, headers)
          }
        }
      })
    }
  })
}

/** Long enough for no digest to be missed, and too long for a time or a word. */
const runs = /[\w+/-]{20,}/g

/**
 * What a text holds that could be a proof, as the bytes behind it in hexadecimal: the same digest is the same in any of
 * its encodings.
 */
export function proofsIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(runs)].flatMap(([run]) => readings(run)))
}

function readings(run: string): string[] {
  const unpadded = run.replaceAll('+', '-').replaceAll('/', '_')
  const decoded = [decodeText('hex', run.toLowerCase()), decodeText('base64url', unpadded)]
  return decoded.flatMap((bytes) => (bytes === undefined ? [] : [encodeBytes('hex', bytes)]))
}

/**
 * The proofs of a delivery with this text as its body, and the digests of the text itself: where a scheme signs more
 * than the body, whoever has a text of his choice signed writes that into it too.
 */
export async function proofsOf(text: string, context: SuiteContext): Promise<ReadonlySet<string>> {
  const { provider, secret, now, url } = context
  const signing = async () => provider.signature.sign(deliveryOf({}, utf8(text), url), secret, now)
  const headers: Readonly<Record<string, string>> = await signing().catch(() => ({}))
  const digests = await Promise.all(
    (['sha1', 'sha256', 'sha512'] as const).flatMap((algorithm) =>
      keysOf(secret).map(async (key) => prepareHmac(algorithm, 'hex', key)([text])),
    ),
  )
  return new Set([...digests, ...Object.values(headers).flatMap((value) => [...proofsIn(value)])])
}

/** A secret as text, and as the base64 that some are behind a prefix. */
function keysOf(secret: string): (string | Uint8Array)[] {
  const decoded = decodeText('base64', secret.slice(secret.indexOf('_') + 1))
  return decoded === undefined || decoded.length === 0 ? [secret] : [secret, decoded]
}
