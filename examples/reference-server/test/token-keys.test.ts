import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRemoteKeys, createTokenVerifier } from '@sallyport/auth'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { startApi, type TestApi } from './api.ts'
import { startProblems } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

const pairs = {
  EdDSA: generateKeyPairSync('ed25519'),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
}
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }) as string
const jwk = (key: KeyObject) => key.export({ format: 'jwk' })
const path = '/.well-known/jwks.json'
const secret = 'a-secret-of-more-than-thirty-two-bytes'

interface KeySet {
  readonly keys: readonly Readonly<Record<string, string>>[]
}

async function getKeySet(api: TestApi) {
  const response = await fetch(api.base + path)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, keys: (JSON.parse(text) as KeySet).keys }
}

function getHeader(token: string): { readonly alg: string; readonly kid: string } {
  const [header = ''] = token.split('.', 1)
  return JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string; kid: string }
}

describe('JWT_KEYS', () => {
  it('unset: the set of public keys is empty, and tokens of the secret need no typ', async () => {
    await using api = await startApi({ JWT_SECRET: secret })
    const { status, headers, text } = await getKeySet(api)
    expect([status, text]).toEqual([200, '{"keys":[]}'])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('vary')).toBe('Accept')
    const etag = headers.get('etag')!
    const again = await fetch(api.base + path, {
      headers: { 'if-none-match': etag, 'cache-control': 'no-cache' },
    })
    expect(again.status).toBe(304)
    expect((await fetch(api.base + path, { method: 'POST' })).status).toBe(405)

    // Regression: a token without typ was invalid.
    const [, payload] = api.admin.token.split('.')
    const statuses = [{ typ: undefined }, { typ: 'JWT' }, { typ: 'at+jwt' }].map(async (header) => {
      const text = JSON.stringify({ alg: 'HS256', ...header })
      const body = `${Buffer.from(text).toString('base64url')}.${payload}`
      const token = `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
      return (await api.call('GET', '/users', { token })).status
    })
    expect(await Promise.all(statuses)).toEqual([200, 200, 401])
  })

  it('signs, and publishes all public keys in order and no private part, by which anybody can verify', async () => {
    const set = {
      keys: Object.values(pairs).map(({ privateKey }, index) => ({ ...jwk(privateKey), kid: `k${index}` })),
    }
    await using api = await startApi({ JWT_KEYS: JSON.stringify(set), JWT_SECRET: secret })
    const { keys, text } = await getKeySet(api)
    expect(keys).toMatchObject(
      Object.entries(pairs).map(([alg, { publicKey }], index) => ({
        ...jwk(publicKey),
        ...{ alg, kid: `k${index}`, use: 'sig' },
      })),
    )
    for (const key of keys)
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])
        expect(key).not.toHaveProperty(member)
    for (const { privateKey } of Object.values(pairs)) expect(text).not.toContain(jwk(privateKey).d)
    expect(text).not.toContain(secret)
    expect(getHeader(api.admin.token)).toMatchObject({ alg: 'EdDSA', kid: 'k0' })
    const elsewhere = createTokenVerifier({
      keys: createRemoteKeys(api.base + path, { algorithms: ['EdDSA', 'ES256', 'RS256'] }),
      ...{ issuer: 'sallyport', audience: 'sallyport', typ: 'JWT' },
    })
    expect(await elsewhere.verify(api.admin.token)).toMatchObject({ sub: api.admin.id, role: 'admin' })
  })

  it('keeps sessions valid for tokens of the secret and of listed keys', async () => {
    await using data = await temporaryDirectory()
    const common = { DATA_DIR: data.path, JWT_SECRET: secret }
    const tokens: { token: string; refreshToken: string; session: string }[] = []
    const keys = [
      undefined,
      pem(pairs.ES256.privateKey),
      pem(pairs.EdDSA.privateKey) + pem(pairs.ES256.privateKey),
    ]
    for (const key of keys) {
      await using api = await startApi({ ...common, ...(key !== undefined && { JWT_KEYS: key }) })
      tokens.push(api.admin)
      for (const { token } of tokens) expect((await api.call('GET', '/users', { token })).status).toBe(200)
    }
    expect(tokens.map(({ token }) => getHeader(token).alg)).toEqual(['HS256', 'ES256', 'EdDSA'])

    await using api = await startApi({ ...common, JWT_KEYS: pem(pairs.EdDSA.privateKey) })
    expect((await api.call('GET', '/users', { token: tokens[1]!.token })).status).toBe(401)
    const { session, refreshToken } = tokens[1]!
    const refreshed = await api.call('POST', `/sessions/${session}/tokens`, {
      json: { refresh_token: refreshToken },
    })
    expect(refreshed.status).toBe(201)
  })

  it('is read from a file of SECRETS_DIR', async () => {
    await using directory = await temporaryDirectory()
    const secrets = join(directory.path, 'secrets')
    await mkdir(secrets)
    await writeFile(join(secrets, 'JWT_KEYS'), pem(pairs.EdDSA.privateKey))
    const result = readConfig({ DATA_DIR: join(directory.path, 'data'), SECRETS_DIR: secrets }, [])
    expect(result).toMatchObject({ config: { jwtKeys: [expect.anything()] } })
  })

  it.each([
    ['a short RSA key', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey), /2048/],
    [
      'a public key',
      pairs.EdDSA.publicKey.export({ format: 'pem', type: 'spki' }) as string,
      /not a readable/,
    ],
    ['no key', 'hunter2-hunter2-hunter2-hunter2-hunter2', /neither PEM nor JSON/],
    ['one key twice', pem(pairs.EdDSA.privateKey).repeat(2), /repeats a kid/],
  ])('%s is a problem in one line, and not shown', async (_, keys, complaint) => {
    await using directory = await temporaryDirectory()
    const [problem, ...others] = await startProblems({
      NODE_ENV: 'production',
      DATA_DIR: join(directory.path, 'data'),
      JWT_SECRET: secret,
      JWT_KEYS: keys,
    })
    expect(problem).toMatch(/^JWT_KEYS[^\n]+$/)
    expect(problem).toMatch(complaint)
    expect(others).toEqual([])
    for (const part of keys.split(/\s/).filter((text) => text.length > 8)) expect(problem).not.toContain(part)
    expect(await readdir(directory.path)).toEqual([])
  })

  it('does not replace JWT_SECRET', async () => {
    await using data = await temporaryDirectory()
    const problems = await startProblems({
      NODE_ENV: 'production',
      DATA_DIR: data.path,
      JWT_KEYS: pem(pairs.EdDSA.privateKey),
    })
    expect(problems).toEqual(['JWT_SECRET is missing: set it to 32 random bytes or more'])
  })
})
