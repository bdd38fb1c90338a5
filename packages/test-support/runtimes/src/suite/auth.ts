import {
  createKeyRing,
  createMemorySessionStore,
  createRemoteKeys,
  createSessions,
  createTokenIssuer,
  createTokenVerifier,
  parseBearer,
  readPrivateKeys,
  requireRole,
  type KeyInput,
} from '@sallyport/auth'
import { pairs } from '../../../../webhooks/test/scheme-keys.ts'
import type { Specimens } from '../specimens.ts'
import { defineCases, expectEqual, expectError } from './case.ts'
import { audience, now, secret } from './fixed.ts'

const clock = () => now

async function expectIssuedTokensToVerify(key: KeyInput): Promise<void> {
  const keys = createKeyRing([key])
  const { token } = await createTokenIssuer({ keys, ...audience, now: clock }).issue({
    sub: 'user-1',
    role: 'user',
  })
  const verifier = () => createTokenVerifier<{ role: string }>({ keys, ...audience, now: clock })
  const first = verifier()
  const verified = await first.verify(parseBearer(`Bearer ${token}`))
  expectEqual(
    [verified.sub, verified.role, (await first.verify(token)) === verified],
    ['user-1', 'user', true],
  )
  requireRole(verified, ['user'])

  const [header = '', claims = '', proof = ''] = token.split('.')
  const otherClaims = btoa(atob(claims).replace('user-1', 'user-2')).replaceAll('=', '')
  const otherProof = `${proof.startsWith('A') ? 'B' : 'A'}${proof.slice(1)}`
  for (const forged of [`${header}.${otherClaims}.${proof}`, `${header}.${claims}.${otherProof}`, claims]) {
    await expectError('INVALID_TOKEN', () => verifier().verify(forged))
  }
  const late = createTokenVerifier({ keys, ...audience, now: () => now + 1_000_000 })
  await expectError('INVALID_TOKEN', () => late.verify(token))
}

export const authCases = ({ tokens }: Specimens) => [
  ...defineCases('auth', {
    'issues and verifies HS256': () => expectIssuedTokensToVerify(secret),
    'issues and verifies EdDSA': async () => {
      await expectIssuedTokensToVerify({
        alg: 'EdDSA',
        privateKey: (await pairs('ed25519', 'pem')).keys.sign,
      })
    },
    'issues and verifies ES256': async () => {
      await expectIssuedTokensToVerify({ alg: 'ES256', privateKey: (await pairs('p256', 'pem')).keys.sign })
    },
    'issues and verifies RS256': async () => {
      await expectIssuedTokensToVerify({
        alg: 'RS256',
        privateKey: (await pairs('rsa2048', 'pem')).keys.sign,
      })
    },
    'reads the keys that WebCrypto exports': async () => {
      for (const algorithm of ['Ed25519', { name: 'ECDSA', namedCurve: 'P-256' }]) {
        const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
        if (!('privateKey' in pair)) throw new Error('Not a pair of keys')
        const jwk = JSON.stringify(await crypto.subtle.exportKey('jwk', pair.privateKey))
        for (const key of readPrivateKeys(jwk)) await expectIssuedTokensToVerify(key)
      }
    },
    'rotates keys and rejects tokens of a removed key': async () => {
      const keys = createKeyRing([secret])
      const issuer = createTokenIssuer({ keys, ...audience, now: clock })
      const verifier = createTokenVerifier({ keys, ...audience, now: clock })
      const { token } = await issuer.issue({ sub: 'user-1' })
      const next = { alg: 'EdDSA', privateKey: (await pairs('ed25519', 'pem')).keys.sign } as const
      keys.rotate([next, secret])
      expectEqual((await verifier.verify(token)).sub, 'user-1')
      const { token: newer } = await issuer.issue({ sub: 'user-2' })
      keys.rotate([next])
      expectEqual((await verifier.verify(newer)).sub, 'user-2')
      await expectError('INVALID_TOKEN', () => verifier.verify(token))
      expectEqual(
        keys.jwks().keys.map(({ alg, kty }) => [alg, kty]),
        [['EdDSA', 'OKP']],
      )
    },
    'rotates a session and ends it when a used token is reused': async () => {
      let time = now
      const sessions = createSessions({
        store: createMemorySessionStore(),
        secrets: [secret],
        now: () => time,
      })
      const { refreshToken, session } = await sessions.create({ userId: 'user-1' })
      await sessions.rotate(refreshToken)
      expectEqual(await sessions.isActive(session.id), true)
      time += 60_000
      await expectError('INVALID_TOKEN', () => sessions.rotate(refreshToken))
      expectEqual(await sessions.isActive(session.id), false)
    },
  }),
  ...tokens.flatMap(({ key, token }) =>
    defineCases('auth', {
      async [`verifies ${key.alg} of another runtime`]() {
        const verifier = createTokenVerifier({ keys: createKeyRing([key]), ...audience, now: clock })
        expectEqual((await verifier.verify(token)).sub, 'user-1')
      },
      async [`verifies ${key.alg} with a key set`]() {
        const set = JSON.stringify(createKeyRing([key]).jwks())
        const keys = createRemoteKeys('https://id.example/jwks.json', {
          algorithms: [key.alg],
          fetch: () => Promise.resolve(new Response(set)),
        })
        const verifier = createTokenVerifier({ keys, ...audience, now: clock })
        expectEqual((await verifier.verify(token)).sub, 'user-1')
        await expectError('INVALID_TOKEN', () => verifier.verify(`${token.slice(0, -8)}AAAAAAAA`))
      },
    }),
  ),
]
