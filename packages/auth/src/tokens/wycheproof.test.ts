import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createKeyRing } from './key-ring.ts'
import type { JsonWebKeyInput } from './key-types.ts'
import type { KeyInput } from './signing-key.ts'
import { createSignatureVerifier } from './verify-signature.ts'

interface Group {
  readonly comment: string
  readonly key: JsonWebKeyInput & { readonly k?: string }
  readonly tests: readonly {
    readonly tcId: number
    readonly comment: string
    readonly jws: string
    readonly result: 'valid' | 'invalid'
  }[]
}

const file = new URL('../../test/fixtures/json-web-signature.json', import.meta.url)
const groups = JSON.parse(readFileSync(file, 'utf8')) as readonly Group[]

/** The tests with the opposite result here, and the reason. */
const exceptions: Readonly<Record<number, string>> = {
  259: 'a payload without characters contains no claims',
  367: 'the padding in the name of the test is missing: the text is that of test 357, which is valid',
  370: 'the padding in the name of the test is missing: the text is that of test 357, which is valid',
  372: 'the header has a character outside base64url',
  373: 'the payload has a character outside base64url',
  375: 'the spare bits of the payload are signed; jose accepts this token too',
}

function toKeyInput({ k, ...key }: Group['key']): KeyInput {
  if (k !== undefined) return { alg: 'HS256', kid: key.kid ?? '', secret: Buffer.from(k, 'base64url') }
  return { alg: key.kty === 'RSA' ? 'RS256' : 'ES256', publicKey: key }
}

describe.each(groups)('the signature verifier with the key of Wycheproof for $comment', ({ key, tests }) => {
  it.each(tests)('decides test $tcId, $comment', async ({ tcId, jws, result }) => {
    const isException = tcId in exceptions
    const verify = async () => createSignatureVerifier(createKeyRing([toKeyInput(key)]), 'JWT')(jws)
    if ((result === 'valid') !== isException) await expect(verify()).resolves.toBeInstanceOf(Uint8Array)
    else await expect(verify()).rejects.toThrow()
  })
})
