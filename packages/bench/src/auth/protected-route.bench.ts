import { defineHttp, type HttpSide } from '../frame/http.ts'
import { startServer } from '../frame/server-process.ts'
import { createTokens, type Algorithm, type TokenSet } from './tokens.ts'

type TokenSets = Readonly<Record<Algorithm, TokenSet>>

const file = new URL('./protected-server.ts', import.meta.url)
const callers = 100

const nameSide = (alg: Algorithm, isCached: boolean) => `${alg}, ${isCached ? 'cached' : 'not cached'}`

function createSide(alg: Algorithm, isCached: boolean): HttpSide<TokenSets> {
  return {
    name: nameSide(alg, isCached),
    does: isCached
      ? 'Verifies each token once and takes it from the cache for a minute.'
      : 'Verifies the token of each request.',
    start: (sets) =>
      startServer(file, { ALG: alg, KEY: String(sets[alg].keyText), CACHE_MAX: isCached ? '10000' : '0' }),
    requests: (sets) =>
      sets[alg].tokens.map((token) => ({ path: '/me', headers: { authorization: `Bearer ${token}` } })),
  }
}

const measured: readonly Algorithm[] = ['HS256', 'RS256', 'ES256', 'EdDSA']

export default defineHttp<TokenSets>({
  name: 'protected-route',
  what: `\`GET /me\` of an API of @sallyport/rest with createBearerAuthentication; 32 connections; ${callers} callers with a token each.`,
  base: nameSide('HS256', true),
  sides: measured.flatMap((alg) => [createSide(alg, true), createSide(alg, false)]),
  async prepare() {
    const sets = await Promise.all(measured.map((alg) => createTokens(alg, callers)))
    return Object.fromEntries(sets.map((set) => [set.alg, set])) as unknown as TokenSets
  },
  requests: () => [],
  agree: (body) => body,
})
