import {
  createKeyRing,
  createMemorySessionStore,
  createSessions,
  createTokenIssuer,
  createTokenVerifier,
  parseBearer,
  readPrivateKeys,
  requireRole,
  type KeyInput,
} from '@sallyport/auth'
import { pairs } from '../../../webhooks/test/scheme-keys.ts'
import type { Specimens } from '../specimens.ts'
import { casesOf, equal, refused } from './case.ts'
import { audience, now, secret } from './fixed.ts'

const clock = () => now

async function issuesAndVerifies(key: KeyInput): Promise<void> {
  const keys = createKeyRing([key])
  const { token } = await createTokenIssuer({ keys, ...audience, now: clock }).issue({
    sub: 'user-1',
    role: 'user',
  })
  const verifier = () => createTokenVerifier<{ role: string }>({ keys, ...audience, now: clock })
  const first = verifier()
  const verified = await first.verify(parseBearer(`Bearer ${token}`))
  await first.verify(token)
  equal([verified.sub, verified.role, first.verifyCached(token) !== undefined], ['user-1', 'user', true])
  requireRole(verified, ['user'])

  const [header = '', claims = '', proof = ''] = token.split('.')
  const otherClaims = btoa(atob(claims).replace('user-1', 'user-2')).replaceAll('=', '')
  const otherProof = `${proof.startsWith('A') ? 'B' : 'A'}${proof.slice(1)}`
  for (const forged of [`${header}.${otherClaims}.${proof}`, `${header}.${claims}.${otherProof}`, claims]) {
    await refused('INVALID_TOKEN', () => verifier().verify(forged))
  }
  const late = createTokenVerifier({ keys, ...audience, now: () => now + 1_000_000 })
  await refused('INVALID_TOKEN', () => late.verify(token))
}

export const authCases = ({ tokens }: Specimens) => [
  ...casesOf('auth', {
    'issues and verifies HS256': () => issuesAndVerifies(secret),
    'issues and verifies EdDSA': async () => {
      await issuesAndVerifies({ alg: 'EdDSA', privateKey: (await pairs('ed25519', 'pem')).keys.sign })
    },
    'issues and verifies ES256': async () => {
      await issuesAndVerifies({ alg: 'ES256', privateKey: (await pairs('p256', 'pem')).keys.sign })
    },
    'issues and verifies RS256': async () => {
      await issuesAndVerifies({ alg: 'RS256', privateKey: (await pairs('rsa2048', 'pem')).keys.sign })
    },
    'reads the keys that WebCrypto exports': async () => {
      for (const algorithm of ['Ed25519', { name: 'ECDSA', namedCurve: 'P-256' }]) {
        const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
        if (!('privateKey' in pair)) throw new Error('Not a pair of keys')
        const jwk = JSON.stringify(await crypto.subtle.exportKey('jwk', pair.privateKey))
        for (const key of readPrivateKeys(jwk)) await issuesAndVerifies(key)
      }
    },
    'keys are rotated, and what they signed is refused once they are gone': async () => {
      const keys = createKeyRing([secret])
      const issuer = createTokenIssuer({ keys, ...audience, now: clock })
      const verifier = createTokenVerifier({ keys, ...audience, now: clock })
      const { token } = await issuer.issue({ sub: 'user-1' })
      const next = { alg: 'EdDSA', privateKey: (await pairs('ed25519', 'pem')).keys.sign } as const
      keys.rotate([next, secret])
      equal((await verifier.verify(token)).sub, 'user-1')
      const { token: newer } = await issuer.issue({ sub: 'user-2' })
      keys.rotate([next])
      equal((await verifier.verify(newer)).sub, 'user-2')
      await refused('INVALID_TOKEN', () => verifier.verify(token))
      equal(
        keys.jwks().keys.map(({ alg, kty }) => [alg, kty]),
        [['EdDSA', 'OKP']],
      )
    },
    'a session goes on with each new token, and ends when a used one comes back': async () => {
      let time = now
      const sessions = createSessions({
        store: createMemorySessionStore(),
        secrets: [secret],
        now: () => time,
      })
      const { refreshToken, session } = await sessions.create({ userId: 'user-1' })
      await sessions.rotate(refreshToken)
      equal(await sessions.isActive(session.id), true)
      time += 60_000
      await refused('INVALID_TOKEN', () => sessions.rotate(refreshToken))
      equal(await sessions.isActive(session.id), false)
    },
  }),
  ...tokens.flatMap(({ key, token }) =>
    casesOf('auth', {
      async [`verifies ${key.alg} of another runtime`]() {
        const verifier = createTokenVerifier({ keys: createKeyRing([key]), ...audience, now: clock })
        equal((await verifier.verify(token)).sub, 'user-1')
      },
    }),
  ),
]
