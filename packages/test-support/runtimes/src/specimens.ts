import { createKeyRing, createTokenIssuer, type PrivateKeyInput } from '@sallyport/auth'
import { createCursorCodec, hashETag } from '@sallyport/rest'
import { builtInProviders } from '@sallyport/providers'
import { getSampleSecrets, unsendable } from '../../../cli/test/sample-secrets.ts'
import { publicKeyCases, schemeCases } from '../../../webhooks/test/scheme-cases.ts'
import { pairs } from '../../../webhooks/test/scheme-keys.ts'
import type { SchemeCase } from '../../../webhooks/test/scheme-suite.ts'
import {
  audience,
  binding,
  body,
  createDelivery,
  cursorAnchor,
  etagged,
  now,
  secret,
  toJson,
} from './suite/fixed.ts'

/** A signature that one runtime creates and the others verify. */
export interface SignedSpecimen {
  readonly name: string
  readonly keys: SchemeCase['keys']
  readonly headers: Readonly<Record<string, string>>
  /** Whether signing again gives the same signature. ECDSA signatures are random. */
  readonly repeatable: boolean
}

/** Signed and encoded values of one runtime that every other runtime must accept. */
export interface Specimens {
  readonly signatures: readonly SignedSpecimen[]
  readonly tokens: readonly { readonly key: PrivateKeyInput; readonly token: string }[]
  readonly cursor: string
  readonly etag: string
  /** The secrets that verify and sign the samples of a provider, by its name. */
  readonly sampleSecrets: Readonly<
    Record<string, { readonly verify: readonly string[]; readonly sign: string }>
  >
}

/** Creates a specimen of everything that the kit signs or encodes. */
export async function makeSpecimens(): Promise<Specimens> {
  const cases = [...(await schemeCases()), ...(await publicKeyCases())]
  return {
    signatures: await Promise.all(cases.map(sign)),
    tokens: await Promise.all([
      issue('EdDSA', (await pairs('ed25519', 'pem')).keys.sign),
      issue('ES256', (await pairs('p256', 'pem')).keys.sign),
      issue('RS256', (await pairs('rsa2048', 'pem')).keys.sign),
    ]),
    cursor: createCursorCodec({ keys: [secret] }).encode(cursorAnchor, binding),
    etag: hashETag(etagged),
    sampleSecrets: Object.fromEntries(
      builtInProviders.flatMap(({ name }) => {
        if (unsendable.has(name)) return []
        const { server: verify, cli: sign } = getSampleSecrets(name)
        return [[name, { verify, sign }]]
      }),
    ),
  }
}

async function sign({ name, scheme, keys }: SchemeCase): Promise<SignedSpecimen> {
  const signed = async () => scheme.sign(createDelivery({}, body), keys.sign, now)
  const headers = await signed()
  return { name, keys, headers, repeatable: toJson(await signed()) === toJson(headers) }
}

async function issue(alg: PrivateKeyInput['alg'], privateKey: string) {
  const key = { alg, privateKey }
  const keys = createKeyRing([key])
  const { token } = await createTokenIssuer({ keys, ...audience, now: () => now }).issue({ sub: 'user-1' })
  return { key, token }
}
