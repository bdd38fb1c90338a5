import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { encode, signWith } from '../../test/signature-comparison.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'
import { createRemoteKeys, type RemoteKeysOptions } from './remote-keys.ts'
import { createTokenIssuer } from './token-issuer.ts'
import { createTokenVerifier } from './token-verifier.ts'

const names = { issuer: 'them', audience: 'us' }
const jwksUrl = 'https://id.example/jwks.json'
const unavailable = { code: 'SERVICE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' } }

function newRing(): KeyRing {
  return createKeyRing([{ alg: 'EdDSA', privateKey: generateKeyPairSync('ed25519').privateKey }])
}

async function setUp(answer: () => { status?: number; body: string }, options?: Partial<RemoteKeysOptions>) {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    const { status = 200, body } = answer()
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
  const keys = createRemoteKeys(url, { algorithms: ['EdDSA'], ...options })
  return { verifier: createTokenVerifier({ keys, ...names }), requests: () => requests }
}

describe('createRemoteKeys', () => {
  it('verifies tokens of the other issuer with one fetch', async () => {
    const ring = newRing()
    const issuer = createTokenIssuer({ keys: ring, ...names })
    const { verifier, requests } = await setUp(() => ({ body: JSON.stringify(ring.jwks()) }))
    for (const sub of ['u1', 'u2']) {
      const { token } = await issuer.issue({ sub })
      expect((await verifier.verify(token)).sub).toBe(sub)
    }
    expect(requests()).toBe(1)
  })

  it('rejects unknown keys and shared secrets with 401, without a fetch for each', async () => {
    const ring = newRing()
    const { verifier, requests } = await setUp(() => ({ body: JSON.stringify(ring.jwks()) }))
    const secrets = createKeyRing(['a-secret-of-more-than-thirty-two-bytes'])
    for (const keys of [secrets, newRing(), newRing()]) {
      const { token } = await createTokenIssuer({ keys, ...names }).issue({ sub: 'u1' })
      await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'INVALID_TOKEN', status: 401 })
    }
    expect(requests()).toBe(1)
  })

  it('checks all keys for a token without a kid', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const both = createKeyRing([
      { alg: 'EdDSA', publicKey: generateKeyPairSync('ed25519').publicKey },
      { alg: 'EdDSA', publicKey },
    ])
    const { verifier } = await setUp(() => ({ body: JSON.stringify(both.jwks()) }))
    const token = await new SignJWT({ sub: 'u1', jti: 't1', iss: 'them', aud: 'us' })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey)
    await expect(verifier.verify(token)).resolves.toMatchObject({ sub: 'u1' })
  })

  it('checks at most 16 keys for a token without a kid', async () => {
    const pairs = Array.from({ length: 17 }, () => generateKeyPairSync('ed25519'))
    const keys = pairs.flatMap(({ publicKey }) => createKeyRing([{ alg: 'EdDSA', publicKey }]).jwks().keys)
    const { verifier } = await setUp(() => ({ body: JSON.stringify({ keys }) }))
    const signedBy = (index: number) =>
      new SignJWT({ sub: 'u1', jti: 't1', iss: 'them', aud: 'us' })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(pairs[index]!.privateKey)
    await expect(verifier.verify(await signedBy(15))).resolves.toMatchObject({ sub: 'u1' })
    await expect(verifier.verify(await signedBy(16))).rejects.toMatchObject({ status: 401 })
  })

  it('ignores RSA keys under 2048 bits', async () => {
    const [short, long] = [1024, 2048].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }))
    const keys = [short, long].map((pair) => pair?.publicKey.export({ format: 'jwk' }))
    const { verifier } = await setUp(() => ({ body: JSON.stringify({ keys }) }), { algorithms: ['RS256'] })
    const now = Math.floor(Date.now() / 1000)
    const claims = { sub: 'u1', jti: 't1', iss: 'them', aud: 'us', iat: now, exp: now + 60 }
    const input = `${encode({ alg: 'RS256', typ: 'at+jwt' })}.${encode(claims)}`
    const [weak, strong] = [short, long].map((pair) => signWith(pair!.privateKey, input))
    await expect(verifier.verify(weak!)).rejects.toMatchObject({ status: 401 })
    await expect(verifier.verify(strong!)).resolves.toMatchObject({ sub: 'u1' })
  })

  // Regression: EdDSA and Ed25519 name one algorithm (RFC 9864), and a key set may have either name.
  it.each([
    ['EdDSA', 'EdDSA'],
    ['Ed25519', 'EdDSA'],
    ['EdDSA', 'Ed25519'],
    ['Ed25519', 'Ed25519'],
  ] as const)('verifies a token of %s with a key of %s', async (alg, declared) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const ring = createKeyRing([{ alg, privateKey }])
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: ring.signer!.kid, alg: declared }
    const body = JSON.stringify({ keys: [jwk] })
    const { token } = await createTokenIssuer({ keys: ring, ...names }).issue({ sub: 'u1' })
    const { verifier } = await setUp(() => ({ body }), { algorithms: [alg] })
    await expect(verifier.verify(token)).resolves.toMatchObject({ sub: 'u1' })
    const { verifier: other } = await setUp(() => ({ body }), { algorithms: ['ES512'] })
    await expect(other.verify(token)).rejects.toMatchObject({ status: 401 })
  })

  it.each(['RS384', 'RS512', 'PS256', 'ES384', 'ES512'] as const)('verifies a token of %s', async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg)
    const jwk = await exportJWK(publicKey)
    const { verifier } = await setUp(() => ({ body: JSON.stringify({ keys: [jwk] }) }), { algorithms: [alg] })
    const token = await new SignJWT({ sub: 'u1', jti: 't1', iss: 'them', aud: 'us' })
      .setProtectedHeader({ alg, typ: 'at+jwt' })
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey)
    await expect(verifier.verify(token)).resolves.toMatchObject({ sub: 'u1' })
  })

  it('ignores a key of an algorithm that is not allowed', async () => {
    const ring = newRing()
    const { token } = await createTokenIssuer({ keys: ring, ...names }).issue({ sub: 'u1' })
    const { verifier } = await setUp(() => ({ body: JSON.stringify(ring.jwks()) }), { algorithms: ['RS256'] })
    await expect(verifier.verify(token)).rejects.toMatchObject({ status: 401 })
  })

  it.each([
    ['answers 500', { status: 500, body: '{"keys":[]}' }],
    ['answers no JSON', { body: '<html>' }],
    ['answers no key set', { body: '{"keys":1}' }],
    ['answers too much', { body: JSON.stringify({ keys: [], padding: 'x'.repeat(1000) }) }],
  ])('answers 503 while the issuer %s, and limits the fetches', async (_, answer) => {
    const { token } = await createTokenIssuer({ keys: newRing(), ...names }).issue({ sub: 'u1' })
    const { verifier, requests } = await setUp(() => answer, { maxBytes: 500 })
    await expect(verifier.verify(token)).rejects.toMatchObject(unavailable)
    await expect(verifier.verify(token)).rejects.toMatchObject(unavailable)
    expect(requests()).toBe(1)
  })

  it.each([
    [30, 5000],
    [2, 2000],
  ])('fetches again after a failure, with a cooldown of %d s after %d ms', async (seconds, pauseMs) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const ring = newRing()
    const { token } = await createTokenIssuer({ keys: ring, ...names }).issue({ sub: 'u1' })
    let status = 500
    const asked = vi.fn<typeof fetch>(() => Promise.resolve(Response.json(ring.jwks(), { status })))
    const keys = createRemoteKeys(jwksUrl, {
      algorithms: ['EdDSA'],
      cooldownSeconds: seconds,
      fetch: asked,
    })
    const verifier = createTokenVerifier({ keys, ...names })
    await expect(verifier.verify(token)).rejects.toMatchObject(unavailable)
    status = 200
    vi.advanceTimersByTime(pauseMs - 1)
    await expect(verifier.verify(token)).rejects.toMatchObject(unavailable)
    expect(asked).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    await expect(verifier.verify(token)).resolves.toMatchObject({ sub: 'u1' })
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('answers 503 after the timeout of a fetch', async () => {
    const { token } = await createTokenIssuer({ keys: newRing(), ...names }).issue({ sub: 'u1' })
    const timeUp = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeUp.signal)
    onTestFinished(() => {
      timeout.mockRestore()
    })
    const timedOut = new DOMException('It took too long', 'TimeoutError')
    const asked = Promise.withResolvers<undefined>()
    const silent: typeof fetch = (_, init) =>
      new Promise((__, reject) => {
        init?.signal?.addEventListener('abort', () => {
          reject(timedOut)
        })
        asked.resolve(undefined)
      })
    const keys = createRemoteKeys(jwksUrl, { algorithms: ['EdDSA'], timeoutSeconds: 7, fetch: silent })
    const verifying = createTokenVerifier({ keys, ...names }).verify(token)
    await asked.promise
    expect(timeout.mock.calls).toEqual([[7000]])
    timeUp.abort(timedOut)
    await expect(verifying).rejects.toMatchObject(unavailable)
  })

  it.each<[string, Partial<RemoteKeysOptions>]>([
    ['http://id.example/jwks.json', {}],
    ['file:///etc/jwks.json', {}],
    ['https://id.example/jwks.json', { algorithms: [] }],
    ['https://id.example/jwks.json', { algorithms: ['HS256' as 'RS256'] }],
    ['https://id.example/jwks.json', { timeoutSeconds: 0 }],
  ])('rejects %s with %j', (url, options) => {
    expect(() => createRemoteKeys(url, { algorithms: ['RS256'], ...options })).toThrow(TypeError)
  })
})
