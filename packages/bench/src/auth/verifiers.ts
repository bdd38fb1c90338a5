import { createTokenVerifier } from '@sallyport/auth'
import { createVerifier } from 'fast-jwt'
import { jwtVerify } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import type { Side } from '../frame/benchmark.ts'
import { parties, type TokenSet } from './tokens.ts'

/** How many verified tokens those remember who remember any. */
export const remembered = 200

/** A library that verifies access tokens. */
export interface Verifier extends Side {
  readonly create: (tokens: TokenSet) => (token: string) => unknown
}

const typ = 'at+jwt'
const requiredClaims = ['sub', 'iat', 'exp', 'jti']

export const sallyport: Verifier = {
  name: '@sallyport/auth',
  does: `On jose, with a key ring: algorithm pinned to the key, typ, issuer, audience, expiry, required claims, no iat in the future, no second spelling of a signature, claims frozen. Remembers ${remembered} tokens by the hash of their text, from the second time on.`,
  create({ ring }) {
    const verifier = createTokenVerifier({ keys: ring, ...parties, cache: { max: remembered } })
    return (token) => verifier.verifyCached(token) ?? verifier.verify(token)
  },
}

export const jose: Verifier = {
  name: 'jose',
  does: 'A CryptoKey imported once; algorithm, typ, issuer, audience, expiry, required claims. Remembers nothing.',
  create({ alg, cryptoKey }) {
    const options = { algorithms: [alg], ...parties, typ, requiredClaims }
    return async (token) => (await jwtVerify(token, cryptoKey, options)).payload
  },
}

const fastJwtOptions = ({ alg, keyText }: TokenSet) => ({
  key: keyText,
  algorithms: [alg],
  checkTyp: typ,
  allowedIss: parties.issuer,
  allowedAud: parties.audience,
  requiredClaims,
})

export const fastJwt: Verifier = {
  name: 'fast-jwt',
  does: 'Synchronous, on node:crypto; algorithm, typ, issuer, audience, expiry, required claims. Remembers nothing.',
  create: (tokens) => createVerifier({ ...fastJwtOptions(tokens), cache: false }),
}

export const fastJwtCached: Verifier = {
  name: 'fast-jwt with its cache',
  does: `The same, and remembers ${remembered} tokens by a hash of their text.`,
  create: (tokens) => createVerifier({ ...fastJwtOptions(tokens), cache: remembered }),
}

export const jsonWebToken: Verifier = {
  name: 'jsonwebtoken',
  does: 'Synchronous, on node:crypto, with a KeyObject; algorithm, issuer, audience, expiry. Checks no typ, and no claim that is missing. Remembers nothing.',
  create:
    ({ alg, keyObject }) =>
    (token) =>
      jsonwebtoken.verify(token, keyObject, { algorithms: [alg as 'HS256'], ...parties }),
}
