import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { base64url, CompactSign, compactVerify, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createKeyRing } from './key-ring.ts'
import { createTokenIssuer } from './token-issuer.ts'
import { createTokenVerifier, type TokenVerifierOptions } from './token-verifier.ts'

// Long enough for HS512, so that only the bound algorithm rejects the token.
const secret = 'a-secret-of-more-than-sixty-four-bytes'.repeat(2)
const other = 'another-secret-of-over-thirty-two-bytes'
const invalid = {
  code: 'INVALID_TOKEN',
  status: 401,
  message: 'The access token is not valid; get a new one',
  headers: { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_token"' },
}

type Claims = Record<string, unknown>

function setUp(options: Partial<TokenVerifierOptions<Claims>> = {}) {
  const clock = { ms: 1_700_000_000_000 }
  const now = () => clock.ms
  const keys = createKeyRing([secret])
  const shared = { keys, issuer: 'me', audience: 'us', now } as const
  return {
    clock,
    keys,
    issuer: createTokenIssuer(shared),
    verifier: createTokenVerifier({ ...shared, ...options }),
    sign: (claims: Claims = {}, header: Claims = {}, key: Uint8Array = Buffer.from(secret)) => {
      const iat = Math.floor(clock.ms / 1000)
      return new SignJWT({ iss: 'me', aud: 'us', sub: 'u1', jti: 't1', iat, exp: iat + 60, ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
        .sign(key)
    },
  }
}

function createPrivateKeyFor(alg: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256'): KeyObject {
  if (alg === 'EdDSA' || alg === 'Ed25519') return generateKeyPairSync('ed25519').privateKey
  if (alg === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
}

function signText(input: string): string {
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

describe('an access token', () => {
  it('contains its claims', async () => {
    const { issuer, verifier, clock } = setUp()
    const { token, id, expiresIn } = await issuer.issue({ sub: 'u1', sid: 's1', role: 'admin' })
    const iat = clock.ms / 1000
    expect(expiresIn).toBe(900)
    expect(await verifier.verify(token)).toEqual({
      iss: 'me',
      aud: 'us',
      sub: 'u1',
      sid: 's1',
      role: 'admin',
      jti: id,
      iat,
      exp: iat + 900,
    })
  })

  it.each(['EdDSA', 'Ed25519', 'ES256', 'RS256'] as const)(
    'can be signed and verified with %s',
    async (alg) => {
      const privateKey = createPrivateKeyFor(alg)
      const keys = createKeyRing([{ alg, privateKey }])
      const publicOnly = createKeyRing(
        keys.jwks().keys.map((key) => ({ alg, kid: key.kid, publicKey: { ...key } })),
      )
      const { token } = await createTokenIssuer({ keys, issuer: 'me', audience: 'us' }).issue({ sub: 'u1' })
      const verifier = createTokenVerifier({ keys: publicOnly, issuer: 'me', audience: ['them', 'us'] })
      expect((await verifier.verify(token)).sub).toBe('u1')
    },
  )

  it('cannot override the claims of the issuer', async () => {
    const { issuer } = setUp()
    await expect(issuer.issue({ sub: 'u1', exp: 9e9 } as never)).rejects.toThrow(TypeError)
    await expect(issuer.issue({ sub: '' })).rejects.toThrow(TypeError)
  })

  it('is frozen because the cache shares it', async () => {
    const { verifier, sign } = setUp()
    const claims = await verifier.verify(await sign({ roles: ['user'], deep: { list: [1] } }))
    expect(() => (claims['roles'] as string[]).push('admin')).toThrow(TypeError)
    expect(() => (claims['deep'] as { list: number[] }).list.push(2)).toThrow(TypeError)
  })
})

describe('verification', () => {
  it('accepts the valid token that the tests below vary, with and without a kid', async () => {
    const { verifier, sign, keys } = setUp()
    await expect(verifier.verify(await sign())).resolves.toMatchObject({ sub: 'u1' })
    await expect(verifier.verify(await sign({}, { kid: keys.signer!.kid }))).resolves.toMatchObject({
      sub: 'u1',
    })
    await expect(verifier.verify(await sign({}, { typ: 'application/at+jwt' }))).resolves.toBeDefined()
  })

  describe('by client id', () => {
    const cognito = { aud: undefined, client_id: 'app' }

    it('accepts a token without an audience', async () => {
      const { verifier, sign } = setUp({ audience: { clientId: ['other', 'app'] } })
      const token = await verifier.verify(await sign(cognito))
      expect(token).toMatchObject({ sub: 'u1', client_id: 'app' })
      expect(token).not.toHaveProperty('aud')
    })

    it('leaves the audience out of parsed claims', async () => {
      const claims = ({ client_id }: Claims) => ({ client_id })
      const { verifier, sign } = setUp({ audience: { clientId: 'app' }, claims })
      expect(Object.keys(await verifier.verify(await sign(cognito)))).not.toContain('aud')
    })

    it.each<[string, Claims]>([
      ['of another client', { ...cognito, client_id: 'app2' }],
      ['of no client', { ...cognito, client_id: undefined }],
      ['of several clients', { ...cognito, client_id: ['app'] }],
      ['with an audience', { ...cognito, aud: 'app' }],
      ['with no audience in a list', { ...cognito, aud: [] }],
    ])('rejects a token %s', async (_, claims) => {
      const { verifier, sign } = setUp({ audience: { clientId: 'app' } })
      await expect(verifier.verify(await sign(claims))).rejects.toMatchObject(invalid)
    })

    it('does not replace a required audience', async () => {
      const { verifier, sign } = setUp()
      await expect(verifier.verify(await sign({ ...cognito, client_id: 'us' }))).rejects.toMatchObject(
        invalid,
      )
    })

    it.each([{ clientId: '' }, { clientId: [] }, { clientId: [''] }])('needs a client: %j', (audience) => {
      expect(() => setUp({ audience })).toThrow(/^audience/)
    })
  })

  const now = 1_700_000_000
  it.each<[string, Claims]>([
    ['another issuer', { iss: 'you' }],
    ['another audience', { aud: 'them' }],
    ['no audience', { aud: undefined }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['no expiry', { exp: undefined }],
    ['a past expiry', { exp: now - 6 }],
    ['an expiry as a string', { exp: '9999999999' }],
    ['no time of issue', { iat: undefined }],
    ['a future time of issue', { iat: now + 6 }],
    ['a future beginning', { nbf: now + 6 }],
    ['no id', { jti: undefined }],
    ['an id that is not a string', { jti: 1 }],
    ['a session that is not a string', { sid: ['s1'] }],
  ])('rejects %s', async (_, claims) => {
    const { verifier, sign } = setUp()
    await expect(verifier.verify(await sign(claims))).rejects.toMatchObject(invalid)
  })

  it('rejects an infinite expiry', async () => {
    const { verifier } = setUp()
    const payload = `{"iss":"me","aud":"us","sub":"u1","jti":"t1","iat":${now},"exp":1e999}`
    const token = await new CompactSign(Buffer.from(payload))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(Buffer.from(secret))
    await expect(verifier.verify(token)).rejects.toMatchObject(invalid)
  })

  it.each<[string, Claims]>([
    ['another type', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
    ['an unknown kid', { kid: 'unknown' }],
    ['a kid that is not a string', { kid: { toString: 1 } }],
    ['another algorithm of the same family', { alg: 'HS512' }],
    ['an extension', { crit: ['b64'], b64: true }],
  ])('rejects %s in the header', async (_, header) => {
    const { verifier, sign } = setUp()
    await expect(verifier.verify(await sign({}, header))).rejects.toMatchObject(invalid)
  })

  // Regression: a token without the optional typ header was invalid.
  it.each(['JWT', 'jwt', 'application/jwt'])(
    'accepts a token without typ for the expected typ %s',
    async (typ) => {
      const { verifier, sign } = setUp({ typ })
      await expect(verifier.verify(await sign({}, { typ: undefined }))).resolves.toMatchObject({ sub: 'u1' })
      await expect(verifier.verify(await sign({}, { typ: 'JWT' }))).resolves.toMatchObject({ sub: 'u1' })
      for (const other of ['at+jwt', 'dpop+jwt', '', null, ['JWT'], { toString: 1 }]) {
        await expect(verifier.verify(await sign({}, { typ: other }))).rejects.toMatchObject(invalid)
      }
    },
  )

  it.each(['at+jwt', 'example+jwt', 'text/jwt', 'JOSE'])(
    'rejects a token without typ for the expected typ %s',
    async (typ) => {
      const { verifier, sign } = setUp({ typ })
      await expect(verifier.verify(await sign({}, { typ }))).resolves.toMatchObject({ sub: 'u1' })
      await expect(verifier.verify(await sign({}, { typ: undefined }))).rejects.toMatchObject(invalid)
    },
  )

  it('accepts a time within the clock tolerance', async () => {
    const { verifier, sign } = setUp()
    await expect(verifier.verify(await sign({ iat: now + 5 }))).resolves.toBeDefined()
    await expect(verifier.verify(await sign({ exp: now - 4 }))).resolves.toBeDefined()
  })

  it('rejects unsigned tokens', async () => {
    const { verifier } = setUp()
    const token = new UnsecuredJWT({ sub: 'u1', jti: 't1' })
      .setIssuer('me')
      .setAudience('us')
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .encode()
    await expect(verifier.verify(token)).rejects.toMatchObject(invalid)
    await expect(verifier.verify(`${token}AAAA`)).rejects.toMatchObject(invalid)
  })

  it('rejects a token signed with the text of a public key', async () => {
    const { sign } = setUp()
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const keys = createKeyRing([{ alg: 'RS256', publicKey }])
    const pem = publicKey.export({ format: 'pem', type: 'spki' })
    const { verifier } = setUp({ keys })
    await expect(verifier.verify(await sign({}, {}, Buffer.from(pem)))).rejects.toMatchObject(invalid)
  })

  it('answers every malformed token alike, without its text', async () => {
    const { verifier, sign } = setUp()
    const token = await sign()
    await verifier.verify(token)
    const garbled = fc.oneof(
      fc.string(),
      fc.tuple(fc.string(), fc.string(), fc.string()).map((parts) => parts.join('.')),
      fc
        .tuple(
          fc.nat(token.length - 1),
          fc.constantFrom('a', 'Z', '0', '-', '_', '.', '=', '+', ' ', '\0', 'é'),
        )
        .map(([at, char]) => token.slice(0, at) + char + token.slice(at + 1)),
      fc.nat(token.length - 1).map((end) => token.slice(0, end)),
      fc.string({ minLength: 1 }).map((tail) => token + tail),
      fc.json().map((header) => `${base64url.encode(header)}.${token.split('.').slice(1).join('.')}`),
    )
    await fc.assert(
      fc.asyncProperty(garbled, async (text) => {
        fc.pre(text !== token)
        await expect(verifier.verify(text)).rejects.toMatchObject(invalid)
      }),
      { numRuns: 500 },
    )
  })

  it.each(['HS256', 'EdDSA', 'ES256', 'RS256'] as const)(
    'rejects every non-canonical encoding of a signature of %s',
    async (alg) => {
      const keys = createKeyRing([alg === 'HS256' ? secret : { alg, privateKey: createPrivateKeyFor(alg) }])
      const parties = { keys, issuer: 'me', audience: 'us' }
      const { token } = await createTokenIssuer(parties).issue({ sub: 'u1' })
      const verifier = createTokenVerifier(parties)
      await expect(verifier.verify(token)).resolves.toBeDefined()
      const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      for (const last of `${characters}=+/ `) {
        const spelled = token.slice(0, -1) + last
        if (spelled !== token) await expect(verifier.verify(spelled)).rejects.toMatchObject(invalid)
      }
      for (const more of ['A', 'AA', 'AAA', '=', '==', '\n', '    ', '.', '.A', '.A.A']) {
        await expect(verifier.verify(token + more)).rejects.toMatchObject(invalid)
        await expect(verifier.verify(token.slice(0, -4) + more + token.slice(-4))).rejects.toMatchObject(
          invalid,
        )
      }
    },
  )

  it('rejects an unencoded payload, which jose verifies without claims validation', async () => {
    const { verifier } = setUp()
    const payload = JSON.stringify({ iss: 'me', aud: 'us', sub: 'u1', jti: 't1', iat: now, exp: now + 60 })
    const header = base64url.encode(
      JSON.stringify({ alg: 'HS256', typ: 'at+jwt', b64: false, crit: ['b64'] }),
    )
    const token = signText(`${header}.${payload}`)
    await expect(compactVerify(token, Buffer.from(secret))).resolves.toBeDefined()
    await expect(verifier.verify(token)).rejects.toMatchObject(invalid)
  })

  const padded = (part: string) => part.padEnd(Math.ceil(part.length / 4) * 4, '=')
  it.each<[string, (header: string, payload: string) => string]>([
    ['a header with padding', (header, payload) => `${padded(header)}.${payload}`],
    ['a header with a space', (header, payload) => `${header} .${payload}`],
    ['a payload with padding', (header, payload) => `${header}.${padded(payload)}`],
    ['a payload with a space', (header, payload) => `${header}. ${payload}`],
  ])('rejects %s, even with a valid signature that jose accepts', async (_, spell) => {
    const { verifier, sign, keys } = setUp()
    const token = await sign({ sid: 's12' }, { kid: keys.signer!.kid })
    await expect(verifier.verify(token)).resolves.toBeDefined()
    const [header = '', payload = ''] = token.split('.')
    const spelled = signText(spell(header, payload))
    expect(spelled).not.toBe(token)
    await expect(compactVerify(spelled, Buffer.from(secret))).resolves.toBeDefined()
    await expect(verifier.verify(spelled)).rejects.toMatchObject(invalid)
  })

  it('verifies any number of different headers', async () => {
    const { verifier, sign } = setUp()
    const headers = Array.from({ length: 70 }, (_, index) => ({ extra: index }))
    for (const header of [...headers, ...headers]) {
      await expect(verifier.verify(await sign({}, header))).resolves.toBeDefined()
      await expect(verifier.verify(await sign({}, { ...header, typ: 'JWT' }))).rejects.toMatchObject(invalid)
    }
  })

  it('rejects a token over the maximum length', async () => {
    const { verifier, sign } = setUp({ maxLength: 100 })
    await expect(verifier.verify(await sign())).rejects.toMatchObject(invalid)
  })
})

describe('custom claims', () => {
  const { sign, ...shared } = setUp()
  const options = { keys: shared.keys, issuer: 'me', audience: 'us', now: () => 1_700_000_000_000 }

  it('are parsed and typed by a function', async () => {
    const verifier = createTokenVerifier({
      ...options,
      claims: ({ role }) => {
        if (role !== 'admin') throw new Error('no role')
        return { role, sub: 'replaced' } as const
      },
    })
    const claims = await verifier.verify(await sign({ role: 'admin', extra: 1 }))
    const role: 'admin' = claims.role
    expect(role).toBe('admin')
    expect(claims.sub).toBe('u1')
    expect(claims).not.toHaveProperty('extra')
    await expect(verifier.verify(await sign({ role: 'user' }))).rejects.toMatchObject(invalid)
  })

  // Regression: the type was a promise of the claims.
  it('are parsed by an asynchronous function', async () => {
    const claims = async ({ role }: Readonly<Record<string, unknown>>) => ({ role: String(role) })
    const verifier = createTokenVerifier({ ...options, claims })
    const { role } = await verifier.verify(await sign({ role: 'admin' }))
    expectTypeOf(role).toEqualTypeOf<string>()
    expect(role).toBe('admin')
  })

  it('are parsed only after the signature is verified', async () => {
    const seen: unknown[] = []
    const verifier = createTokenVerifier({
      ...options,
      claims: ({ sub }) => {
        seen.push(sub)
        return {}
      },
    })
    await verifier.verify(await sign({ sub: 'first' }))
    await expect(
      verifier.verify(await sign({ sub: 'forged' }, {}, Buffer.from(other))),
    ).rejects.toMatchObject(invalid)
    await verifier.verify(await sign({ sub: 'last' }))
    expect(seen).toEqual(['first', 'last'])
  })

  it('are parsed by a Standard Schema, also by an asynchronous one', async () => {
    const verifier = createTokenVerifier({
      ...options,
      claims: {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: async (value) => {
            const { role } = value as { role?: unknown }
            return role === 'admin' ? { value: { role } } : { issues: [{ message: 'not an admin' }] }
          },
        },
      },
    })
    await expect(verifier.verify(await sign({ role: 'admin' }))).resolves.toMatchObject({ role: 'admin' })
    await expect(verifier.verify(await sign({ role: 'user' }))).rejects.toMatchObject(invalid)
  })
})

describe('rotation', () => {
  it('accepts tokens of both keys of the ring, and rejects tokens of a removed key, also cached ones', async () => {
    const { keys, issuer, verifier } = setUp()
    const old = await issuer.issue({ sub: 'u1' })
    await verifier.verify(old.token)
    keys.rotate([other, secret])
    const fresh = await issuer.issue({ sub: 'u1' })
    await expect(verifier.verify(old.token)).resolves.toBeDefined()
    await expect(verifier.verify(fresh.token)).resolves.toBeDefined()
    keys.rotate([other])
    await expect(verifier.verify(old.token)).rejects.toMatchObject(invalid)
    await expect(verifier.verify(fresh.token)).resolves.toBeDefined()
  })

  it('checks a token without a kid against every key', async () => {
    const { keys, verifier, sign } = setUp()
    keys.rotate([other, secret])
    await expect(verifier.verify(await sign())).resolves.toBeDefined()
    await expect(verifier.verify(await sign({}, {}, Buffer.from(other)))).resolves.toBeDefined()
    await expect(verifier.verify(await sign({}, {}, Buffer.from(`${other}3`)))).rejects.toMatchObject(invalid)
  })
})

describe('the cache', () => {
  function countingSetUp(options: Partial<TokenVerifierOptions<Claims>> = {}) {
    let parsed = 0
    const set = setUp({ claims: (claims) => ((parsed += 1), { ...claims }), ...options })
    return { ...set, verified: () => parsed }
  }

  it('verifies a repeated token once', async () => {
    const { verifier, sign, verified } = countingSetUp()
    const token = await sign()
    const first = await verifier.verify(token)
    expect(await verifier.verify(token)).toBe(first)
    expect(verified()).toBe(1)
  })

  it('keeps the most recently used tokens', async () => {
    const { verifier, sign } = setUp({ cache: { max: 4 } })
    const token = await sign()
    const first = await verifier.verify(token)
    for (let once = 0; once < 1000; once++) {
      await verifier.verify(await sign({ jti: `once-${once}` }))
      expect(await verifier.verify(token)).toBe(first)
    }
  })

  it('does not return a cached token for another text with the same end', async () => {
    const { verifier, sign, verified } = countingSetUp()
    const good = await sign()
    await verifier.verify(good)
    const [header = '', , signature = ''] = good.split('.')
    const [, payload = ''] = (await sign({ sub: 'u2' })).split('.')
    for (const forged of [
      `${header}.${payload}.${signature}`,
      `.${good}`,
      ` ${good}`,
      signature,
      good.slice(-8),
    ]) {
      await expect(verifier.verify(forged)).rejects.toMatchObject(invalid)
    }
    await verifier.verify(good)
    expect(verified()).toBe(1)
  })

  it('never outlives the token', async () => {
    const { verifier, sign, clock, verified } = countingSetUp({ cache: { maxAgeSeconds: 3600 } })
    const token = await sign()
    await verifier.verify(token)
    clock.ms += 64_999
    await verifier.verify(token)
    expect(verified()).toBe(1)
    clock.ms += 1
    await expect(verifier.verify(token)).rejects.toMatchObject(invalid)
  })

  it('verifies again after the maximum age, and after the clock was set back', async () => {
    const { verifier, sign, clock, verified } = countingSetUp({ cache: { maxAgeSeconds: 10 } })
    const token = await sign()
    await verifier.verify(token)
    await verifier.verify(token)
    expect(verified()).toBe(1)
    clock.ms += 10_000
    await verifier.verify(token)
    clock.ms -= 1000
    await verifier.verify(token)
    expect(verified()).toBe(3)
  })

  it('has a limit and can be disabled', async () => {
    const small = countingSetUp({ cache: { max: 1 } })
    const [a, b] = [await small.sign({ jti: 'a' }), await small.sign({ jti: 'b' })]
    for (const token of [a, b, a, a]) await small.verifier.verify(token)
    expect(small.verified()).toBe(3)
    const off = countingSetUp({ cache: { max: 0 } })
    const token = await off.sign()
    await off.verifier.verify(token)
    await off.verifier.verify(token)
    expect(off.verified()).toBe(2)
  })

  it('respects a revocation', async () => {
    const revoked = new Set<string | undefined>()
    const revocations = { isRevoked: ({ sid }: { sid?: string }) => revoked.has(sid) }
    const { verifier, sign, verified } = countingSetUp({ revocations })
    const token = await sign({ sid: 's1' })
    await verifier.verify(token)
    await verifier.verify(token)
    expect(verified()).toBe(1)
    revoked.add('s1')
    await expect(verifier.verify(token)).rejects.toMatchObject(invalid)
  })

  it('respects an asynchronous revocation', async () => {
    let revoked = false
    const { verifier, sign } = setUp({ revocations: { isRevoked: async () => revoked } })
    const token = await sign()
    await expect(verifier.verify(token)).resolves.toBeDefined()
    revoked = true
    await expect(verifier.verify(token)).rejects.toMatchObject(invalid)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('database down')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('database down')
      },
    ],
  ])('answers 503 when the revocation check %s', async (_, isRevoked) => {
    const { verifier, sign } = setUp({ revocations: { isRevoked } })
    const token = await sign()
    const unavailable = { code: 'SERVICE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' } }
    await expect(verifier.verify(token)).rejects.toMatchObject(unavailable)
    await expect(verifier.verify(token)).rejects.toMatchObject(unavailable)
  })
})

describe('options', () => {
  const { keys } = setUp()
  const good = { keys, issuer: 'me', audience: 'us' }

  it.each([
    { clockToleranceSeconds: 61 },
    { clockToleranceSeconds: -1 },
    { issuer: '' },
    { audience: [] },
    { audience: [''] },
    // Regression: the string was treated as the claims j, t and i, and every token was rejected.
    { requiredClaims: 'jti' as never },
    { maxLength: 0 },
    { realm: '"' },
    { cache: { max: -1 } },
    { cache: { maxAgeSeconds: 0 } },
  ])('of a verifier are validated: %j', (option) => {
    expect(() => createTokenVerifier({ ...good, ...option })).toThrow(TypeError)
  })

  // Regression: the find method of an array was called, and every token was rejected.
  it.each([['secret'.repeat(8)], [['secret'.repeat(8)]], [undefined], [null]])(
    'of a verifier must be keys, not %j',
    (none) => {
      expect(() => createTokenVerifier({ ...good, keys: none as never })).toThrow(
        new TypeError('keys must come from createKeyRing() or createRemoteKeys()'),
      )
    },
  )

  it('of an issuer are validated', () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const cannotSign = createKeyRing([{ alg: 'EdDSA', publicKey }])
    expect(() => createTokenIssuer({ ...good, lifetimeSeconds: 0 })).toThrow(TypeError)
    expect(() => createTokenIssuer({ ...good, keys: cannotSign })).toThrow(TypeError)
  })
})
