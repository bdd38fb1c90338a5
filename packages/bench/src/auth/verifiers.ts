import { createTokenVerifier } from '@sallyport/auth'
import { createVerifier } from 'fast-jwt'
import { jwtVerify } from 'jose'
import jsonwebtoken from 'jsonwebtoken'
import type { Side } from '../frame/benchmark.ts'
import { parties, type TokenSet } from './tokens.ts'

/** Size of the caches of verified tokens. */
export const remembered = 200

/** A library that verifies access tokens. */
export interface Verifier extends Side {
  readonly create: (tokens: TokenSet) => (token: string) => unknown
}

const typ = 'at+jwt'
const requiredClaims = ['sub', 'iat', 'exp', 'jti']

export const sallyport: Verifier = {
  name: '@sallyport/auth',
  does: `Checks the algorithm of the key, typ, issuer, audience, expiry, required claims, iat and the canonical form of the signature; freezes the claims. Synchronous, on node:crypto. Caches ${remembered} tokens by the hash of their text.`,
  create({ ring }) {
    const verifier = createTokenVerifier({ keys: ring, ...parties, cache: { max: remembered } })
    return verifier.verify
  },
}

export const jose: Verifier = {
  name: 'jose',
  does: 'A CryptoKey imported once. Checks algorithm, typ, issuer, audience, expiry and required claims. No cache.',
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
  does: 'Synchronous, on node:crypto. Checks algorithm, typ, issuer, audience, expiry and required claims. No cache.',
  create: (tokens) => createVerifier({ ...fastJwtOptions(tokens), cache: false }),
}

export const fastJwtCached: Verifier = {
  name: 'fast-jwt with its cache',
  does: `The same, with a cache of ${remembered} tokens by a hash of their text.`,
  create: (tokens) => createVerifier({ ...fastJwtOptions(tokens), cache: remembered }),
}

export const jsonWebToken: Verifier = {
  name: 'jsonwebtoken',
  does: 'Synchronous, on node:crypto, with a KeyObject. Checks algorithm, issuer, audience and expiry, but not typ or missing claims. No cache.',
  create:
    ({ alg, keyObject }) =>
    (token) =>
      jsonwebtoken.verify(token, keyObject, { algorithms: [alg as 'HS256'], ...parties }),
}
