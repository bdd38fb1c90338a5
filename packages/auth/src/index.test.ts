import { expect, it } from 'vitest'
import * as auth from './index.ts'
import * as password from './password/index.ts'
import * as testing from './testing/index.ts'

it('exports what it documents', () => {
  const names = { auth, password, testing }
  expect(Object.entries(names).map(([entry, module]) => [entry, ...Object.keys(module).sort()]))
    .toMatchInlineSnapshot(`
    [
      [
        "auth",
        "bearerChallenge",
        "createKeyRing",
        "createMemorySessionStore",
        "createRemoteKeys",
        "createSessions",
        "createTokenIssuer",
        "createTokenVerifier",
        "invalidToken",
        "parseBearer",
        "readPrivateKeys",
        "rememberRevocations",
        "requireOwner",
        "requireRole",
        "requireScopes",
        "tokenMissing",
      ],
      [
        "password",
        "createPasswordHasher",
      ],
      [
        "testing",
        "testSessionStore",
      ],
    ]
  `)
})
