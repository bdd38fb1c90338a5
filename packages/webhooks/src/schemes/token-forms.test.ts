import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, exportJWK, SignJWT, type JWTPayload } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseJwtClaims, type Delivery } from '../index.ts'
import { detachedJws, jwt } from '../jwt/index.ts'

const now = Date.UTC(2026, 0)
const iat = now / 1000
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1' }] })
const utf8 = (text: string) => new TextEncoder().encode(text)
const signToken = (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey)
const delivery = (headers: Record<string, string>, body: Uint8Array = utf8('{}')): Delivery => ({
  method: 'POST',
  headers: new Headers(headers),
  body,
})

describe('a token that authenticates the sender', () => {
  const pubSub = jwt({
    header: 'authorization',
    prefix: 'Bearer ',
    claim: false,
    algorithms: ['RS256'],
    keys,
    signingKey: privatePem,
    requiredClaims: ['exp'],
    claims: { iss: ['https://accounts.google.com', 'accounts.google.com'], email_verified: true },
    check: ({ aud }, _, secrets) => secrets.some((audience) => audience === aud),
  })
  const claims = {
    iss: 'accounts.google.com',
    aud: 'https://hooks.example',
    email_verified: true,
    iat,
    exp: iat + 3600,
  }
  const verify = async (token: string) =>
    pubSub.verify(delivery({ authorization: token }), ['https://hooks.example'], now)

  it('verifies any body and states it', async () => {
    expect(await verify(`Bearer ${await signToken(claims)}`)).toMatchObject({ verified: true })
    expect(await verify(`bearer ${await signToken(claims)}`)).toMatchObject({ verified: true })
    expect(pubSub.covers).toEqual([])
  })

  it('rejects other claims', async () => {
    for (const other of [{ iss: 'evil' }, { aud: 'https://other.example' }, { email_verified: 'true' }]) {
      expect(await verify(`Bearer ${await signToken({ ...claims, ...other })}`)).toMatchObject({
        reason: 'mismatch',
      })
    }
    expect(await verify(`Bearer ${await signToken({ ...claims, exp: iat - 301 })}`)).toMatchObject({
      reason: 'expired',
    })
    expect(await verify('Bearer')).toMatchObject({ reason: 'malformed' })
  })

  it('needs a time', () => {
    const options = { header: 'x', algorithms: ['RS256'], claim: false } as const
    expect(() => jwt({ ...options, requiredClaims: [] })).toThrow(TypeError)
    expect(() => jwt({ ...options, requiredClaims: ['nbf'] })).toThrow(TypeError)
  })
})

describe('a token without a time', () => {
  it('verifies with the hash of the body (Netlify)', async () => {
    const netlify = jwt({
      header: 'x-webhook-signature',
      claim: 'sha256',
      algorithms: ['HS256'],
      requiredClaims: [],
      claims: { iss: 'netlify' },
    })
    const body = utf8('{"id":1}')
    const sha256 = createHash('sha256').update(body).digest('hex')
    const token = await new SignJWT({ iss: 'netlify', sha256 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(utf8('secret'))
    expect(await netlify.verify(delivery({ 'x-webhook-signature': token }, body), ['secret'], now)).toEqual({
      verified: true,
      body,
    })
    expect(await netlify.verify(delivery({ 'x-webhook-signature': token }), ['secret'], now)).toMatchObject({
      reason: 'mismatch',
    })
  })

  it('needs no hash for an empty body (Vonage)', async () => {
    const vonage = jwt({
      header: 'authorization',
      prefix: 'Bearer ',
      claim: 'payload_hash',
      algorithms: ['HS256'],
    })
    const token = await new SignJWT({ iat }).setProtectedHeader({ alg: 'HS256' }).sign(utf8('secret'))
    const verify = (body: Uint8Array) =>
      vonage.verify(delivery({ authorization: `Bearer ${token}` }, body), ['secret'], now)
    expect(await verify(new Uint8Array())).toMatchObject({ verified: true })
    expect(await verify(utf8('{}'))).toMatchObject({ reason: 'malformed' })
  })
})

describe('a token that is the body', () => {
  const kinde = jwt({ algorithms: ['RS256'], keys, signingKey: privatePem })

  it('verifies a token of any size and keeps the token as the body', async () => {
    const payload = { type: 'user.created', event_id: 'e-1', padding: 'x'.repeat(50_000) }
    const body = utf8(await signToken(payload))
    expect(await kinde.verify(delivery({}, body), [], now)).toEqual({ verified: true, body })
    expect(parseJwtClaims(body)).toEqual(payload)
    expect(kinde.covers).toBeUndefined()
    expect(kinde.headers).toEqual([])
  })

  it('signs the claims of a JSON body', async () => {
    const body = await kinde.signBody!(delivery({}, utf8('{"type":"user.created"}')), 'unused', now)
    expect(await kinde.verify(delivery({}, body), [], now)).toMatchObject({ verified: true })
    expect(parseJwtClaims(body)).toMatchObject({ type: 'user.created', iat })
    expect(await kinde.sign(delivery({}, body), 'unused', now)).toEqual({})
  })

  it('rejects other bodies', async () => {
    const token = await signToken({ type: 'a' })
    for (const text of ['', '{}', `${token}\n`, ` ${token}`, token.slice(0, -2), `${token}.${token}`]) {
      expect((await kinde.verify(delivery({}, utf8(text)), [], now)).verified, text).toBe(false)
    }
  })
})

describe('detachedJws', () => {
  const fireblocks = detachedJws({
    header: 'fireblocks-webhook-signature',
    algorithms: ['RS512'],
    keys,
    signingKey: privatePem,
    keyId: 'k1',
  })
  const body = utf8('{"id":"☃"}')
  const base64url = (text: string | Uint8Array) => Buffer.from(text).toString('base64url')
  const signDetached = (header: object, payload: string | Uint8Array = body) => {
    const own = base64url(JSON.stringify(header))
    const signature = createSign('sha512')
      .update(`${own}.${base64url(payload)}`)
      .sign(privateKey)
    return `${own}..${base64url(signature)}`
  }
  const verify = async (token: string, content = body) =>
    fireblocks.verify(delivery({ 'fireblocks-webhook-signature': token }, content), [], now)

  it('verifies a signature that another library made, and its own', async () => {
    expect(await verify(signDetached({ alg: 'RS512', kid: 'k1' }))).toEqual({ verified: true, body })
    const own = await fireblocks.sign(delivery({}, body), 'unused', now)
    expect(await verify(own['fireblocks-webhook-signature']!)).toEqual({ verified: true, body })
  })

  it('rejects another body, algorithm, key and form', async () => {
    const token = signDetached({ alg: 'RS512', kid: 'k1' })
    expect(await verify(token, utf8('{"id":"x"}'))).toMatchObject({ reason: 'mismatch' })
    expect(await verify(signDetached({ alg: 'RS256', kid: 'k1' }))).toMatchObject({ reason: 'mismatch' })
    expect(await verify(signDetached({ alg: 'RS512', kid: 'k2' }))).toMatchObject({ reason: 'mismatch' })
    expect(await verify(signDetached({ alg: 'none' }))).toMatchObject({ reason: 'mismatch' })
    for (const form of ['', 'a', `${token}=`, token.replace('..', '.e30.'), `${token}.x`, `.${token}`]) {
      expect(await verify(form), form).toMatchObject({ verified: false })
    }
  })

  it('signs a content with a time (Neon)', async () => {
    const keyPair = generateKeyPairSync('ed25519')
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const neon = detachedJws({
      header: 'x-neon-signature',
      algorithms: ['EdDSA'],
      signedHeaders: ['x-neon-timestamp'],
      content: ({ headers, body: own }) => [
        headers.get('x-neon-timestamp') ?? undefined,
        '.',
        base64url(own),
      ],
    })
    const sign = keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const publicKeys = [keyPair.publicKey.export({ type: 'spki', format: 'pem' }).toString()]
    const headers = await neon.sign(delivery({ 'x-neon-timestamp': String(now) }, body), sign, now)
    expect(headers['x-neon-timestamp']).toBe(String(now))
    expect(await neon.verify(delivery(headers, body), publicKeys, now)).toMatchObject({ verified: true })
    const later = { ...headers, 'x-neon-timestamp': String(now + 1) }
    expect(await neon.verify(delivery(later, body), publicKeys, now)).toMatchObject({ reason: 'mismatch' })
    expect(await neon.verify(delivery(headers, body), [other], now)).toMatchObject({ reason: 'mismatch' })
  })

  it('does not accept algorithms with a shared key', () => {
    expect(() => detachedJws({ header: 'x', algorithms: ['HS256'] })).toThrow(TypeError)
  })
})

describe('a key set at a URL', () => {
  const tenant = (secret: string) => `${secret}/.well-known/jwks`
  const fetchKeys = async () => {
    const requests: string[] = []
    const set = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256' }] }
    vi.stubGlobal('fetch', (url: string) => {
      requests.push(url)
      return Promise.resolve(Response.json(set))
    })
    return requests
  }
  afterEach(() => vi.unstubAllGlobals())

  it('has the keys of the tenant that a secret names, which the scheme fetches once', async () => {
    const requests = await fetchKeys()
    const scheme = jwt({ algorithms: ['RS256'], keySet: tenant })
    for (const type of ['a', 'b']) {
      const body = utf8(await signToken({ type }))
      expect(await scheme.verify(delivery({}, body), ['https://a.example'], now)).toMatchObject({
        verified: true,
      })
    }
    expect(requests).toEqual(['https://a.example/.well-known/jwks'])
  })

  it('must be at an https: URL', async () => {
    const scheme = jwt({ algorithms: ['RS256'], keySet: tenant })
    const body = utf8(await signToken({ type: 'a' }))
    for (const secret of ['a.example', 'http://a.example', 'file:///etc']) {
      await expect(scheme.verify(delivery({}, body), [secret], now)).rejects.toMatchObject({
        code: 'PROVIDER_UNAVAILABLE',
      })
    }
  })

  it('verifies a detached token', async () => {
    await fetchKeys()
    const scheme = detachedJws({
      header: 'x',
      algorithms: ['RS256'],
      keySet: 'https://a.example',
      keyId: 'k1',
    })
    const headers = await scheme.sign(delivery({}), privatePem, now)
    expect(await scheme.verify(delivery(headers), [], now)).toMatchObject({ verified: true })
  })
})

it('signs the claims that depend on the delivery', async () => {
  const scheme = jwt({
    header: 'authorization',
    claim: false,
    algorithms: ['HS256'],
    check: ({ aud }, { url }) => aud === url,
    createClaims: ({ url }) => ({ aud: url ?? '' }),
  })
  const sent = { ...delivery({}), url: 'https://hooks.example/monday' }
  const headers = new Headers(await scheme.sign(sent, 'secret', now))
  expect(await scheme.verify({ ...sent, headers }, ['secret'], now)).toMatchObject({ verified: true })
  const other = { ...sent, headers, url: 'https://hooks.example/other' }
  expect(await scheme.verify(other, ['secret'], now)).toMatchObject({ reason: 'mismatch' })
})
