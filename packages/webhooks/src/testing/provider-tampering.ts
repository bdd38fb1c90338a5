import { prepareHmac } from '../crypto/crypto.ts'
import { decodeText, encodeBytes, joinBytes, utf8 } from '../crypto/encoding.ts'
import { flippedBits, flippedText } from './mutations.ts'
import { type SuiteContext, createRequest, listSignedHeaders, withoutHeader } from './provider-options.ts'
import { signing } from './provider-signature.ts'
import type { TestRunner } from './runner.ts'

const adviceOnSignedHeaders =
  'headers in `signedHeaders` and `signedIds` count as content. ' +
  'List lower-case names of headers that `sign` creates or that the samples have, and that the signature covers'

/** Defines the tests of changed deliveries. */
export function testTampering(runner: TestRunner, context: SuiteContext): void {
  const { describe, it, expect } = runner
  const { promises, secret, ignored, encodeSample } = context
  const { sign, expectRefused, deliveries, bodies, smallest } = signing(runner, context)
  const signedNames = listSignedHeaders(context)

  /** Reports whether a changed header is another accepted form of the same value. */
  const isSameForm = (text: string, value: string): boolean =>
    !promises('one-form') && text.toLowerCase() === value.toLowerCase()

  /** Signs all samples, ignored deliveries and the smallest body. */
  async function* sent() {
    const others = ignored.map(({ headers, body }) => ({ headers, bytes: encodeSample(body) }))
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
        // Not every delivery has all signed headers.
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

/** The length of a digest, longer than times and words. */
const runs = /[\w+/-]{20,}/g

/**
 * Finds possible digests in a text and returns them in hexadecimal, so that all encodings of a digest are equal.
 */
export function findProofs(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(runs)].flatMap(([run]) => readings(run)))
}

function readings(run: string): string[] {
  const unpadded = run.replaceAll('+', '-').replaceAll('/', '_')
  const decoded = [decodeText('hex', run.toLowerCase()), decodeText('base64url', unpadded)]
  return decoded.flatMap((bytes) => (bytes === undefined ? [] : [encodeBytes('hex', bytes)]))
}

/**
 * Computes the proofs of a delivery with the text as its body, and digests of the text itself: an attacker who chooses
 * a signed text can include the other parts that a scheme signs.
 */
export async function computeProofs(text: string, context: SuiteContext): Promise<ReadonlySet<string>> {
  const { provider, secret, now, url } = context
  const signing = async () => provider.signature.sign(createRequest({}, utf8(text), url), secret, now)
  const headers: Readonly<Record<string, string>> = await signing().catch(() => ({}))
  const digests = await Promise.all(
    (['sha1', 'sha256', 'sha512'] as const).flatMap((algorithm) =>
      decodeSecret(secret).map(async (key) => prepareHmac(algorithm, 'hex', key)([text])),
    ),
  )
  return new Set([...digests, ...Object.values(headers).flatMap((value) => [...findProofs(value)])])
}

/** Returns a secret as text and decoded from base64 without its prefix. */
function decodeSecret(secret: string): (string | Uint8Array)[] {
  const decoded = decodeText('base64', secret.slice(secret.indexOf('_') + 1))
  return decoded === undefined || decoded.length === 0 ? [secret] : [secret, decoded]
}
