import type { Target } from '../frame/benchmark.ts'
import { defineMicro, type Call, type MicroSide } from '../frame/micro.ts'
import { createTokens, type Algorithm, type TokenSet } from './tokens.ts'
import {
  fastJwt,
  fastJwtCached,
  jose,
  jsonWebToken,
  remembered,
  sallyport,
  type Verifier,
} from './verifiers.ts'

/** Twenty times the cache size, so that almost no token is cached when it is verified again. */
const cold = 20 * remembered
const warm = 100
const atOnce = 32

function verify(options: {
  readonly name: string
  readonly what: string
  readonly alg: Algorithm
  readonly tokens: number
  readonly sides: readonly Verifier[]
  /** Wraps one verification into a call. @default the verification itself */
  readonly call?: (verify: Call) => Call
  readonly operations?: number
  /** @default the speed of jose */
  readonly target?: Target
}) {
  const { name, what, alg, tokens, sides, call = itself, operations = 1, target = asJose } = options
  return defineMicro({
    name,
    what,
    base: jose.name,
    operations,
    target,
    prepare: () => createTokens(alg, tokens),
    agree: (result) => {
      const { sub, jti } = [result].flat()[0] as { sub?: string; jti?: string }
      return { sub, jti }
    },
    sides: sides.map(({ name, does, create }): MicroSide<TokenSet> => ({
      name,
      does,
      setup(set) {
        const check = create(set)
        let next = 0
        return call(() => check(set.tokens[next++ % set.tokens.length] ?? ''))
      },
    })),
  })
}

const asJose: Target = { side: sallyport.name, atLeast: 1 }
const nearFastJwt: Target = { side: sallyport.name, than: fastJwt.name, atLeast: 0.8 }

const itself = (verify: Call): Call => verify

const all = [jose, fastJwt, fastJwtCached, jsonWebToken, sallyport]
const inTurn = `${cold} different tokens in turn, of which at most one in twenty is cached`

export default [
  verify({
    name: 'verify-hs256-cold',
    what: `Verifies an access token signed with HS256; ${inTurn}. One at a time.`,
    alg: 'HS256',
    tokens: cold,
    sides: all,
    target: nearFastJwt,
  }),
  verify({
    name: 'verify-hs256-cold-at-once',
    what: `The same with ${atOnce} concurrent verifications. Libraries with promises use several threads.`,
    alg: 'HS256',
    tokens: cold,
    sides: all,
    target: nearFastJwt,
    operations: atOnce,
    call: (once) => () => Promise.all(Array.from({ length: atOnce }, once)),
  }),
  verify({
    name: 'verify-hs256-cached',
    what: `Verifies an access token signed with HS256; ${warm} tokens in turn, as requests repeat their tokens.`,
    alg: 'HS256',
    tokens: warm,
    sides: all,
    target: { side: sallyport.name, than: fastJwtCached.name, atLeast: 1.5 },
  }),
  verify({
    name: 'verify-rs256-cold',
    what: `Verifies an access token signed with RS256 (2048 bits); ${inTurn}.`,
    alg: 'RS256',
    tokens: cold,
    sides: all,
  }),
  verify({
    name: 'verify-es256-cold',
    what: `Verifies an access token signed with ES256; ${inTurn}.`,
    alg: 'ES256',
    tokens: cold,
    sides: all,
  }),
  verify({
    name: 'verify-eddsa-cold',
    what: `Verifies an access token signed with EdDSA (Ed25519); ${inTurn}. jsonwebtoken does not support it.`,
    alg: 'EdDSA',
    tokens: cold,
    sides: all.filter((side) => side !== jsonWebToken),
  }),
]
